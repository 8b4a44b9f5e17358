-- least reader: 1

-- Audit logs, sealed by whoever writes them: frames of entries that follow each other, and checkpoints. They are read by account in the order of
-- their first entries; of several with the same one, in the order in which they were written.
CREATE TABLE audit_frames (
  account text COLLATE "C" NOT NULL,
  first bigint NOT NULL,
  id bigint GENERATED ALWAYS AS IDENTITY,
  last bigint NOT NULL,
  kind text NOT NULL,
  time bigint NOT NULL,
  content bytea NOT NULL,
  PRIMARY KEY (account, first, id)
);

-- Archives of audit logs, in parts, and the lines of the journal of erasures and revocations.
CREATE TABLE audit_archives (
  name text COLLATE "C" NOT NULL,
  part integer NOT NULL,
  bytes bytea NOT NULL,
  PRIMARY KEY (name, part)
);

CREATE TABLE journal (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  written_at timestamptz NOT NULL DEFAULT now(),
  line bytea NOT NULL
);

-- Sealed and signed contents do not compress.
ALTER TABLE audit_frames ALTER COLUMN content SET STORAGE EXTERNAL;
ALTER TABLE audit_archives ALTER COLUMN bytes SET STORAGE EXTERNAL;

-- The servers add rows and read them. Only the role that owns the tables changes or removes any, whatever its default privileges grant.
DO $$
DECLARE
  kept regclass;
  other text;
BEGIN
  FOREACH kept IN ARRAY ARRAY['audit_frames', 'audit_archives', 'journal']::regclass[] LOOP
    FOR other IN
      SELECT DISTINCT CASE grantee WHEN 0 THEN 'PUBLIC' ELSE quote_ident(pg_get_userbyid(grantee)) END
        FROM pg_class, aclexplode(relacl) WHERE oid = kept AND grantee <> relowner
    LOOP
      EXECUTE format('REVOKE UPDATE, DELETE, TRUNCATE ON %s FROM %s', kept, other);
    END LOOP;
  END LOOP;
END
$$;
