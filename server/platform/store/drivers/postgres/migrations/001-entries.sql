-- least reader: 1

-- Every record of the store. The order of keys is that of their bytes, as in the other stores; what expired before now is
-- absent in every respect, and erased by a sweep. Expiry in milliseconds since 1970.
CREATE TABLE entries (
  key text COLLATE "C" PRIMARY KEY,
  value bytea NOT NULL,
  expires_at bigint
) WITH (
  fillfactor = 85,
  autovacuum_vacuum_scale_factor = 0.05,
  autovacuum_analyze_scale_factor = 0.05
);

-- Records are sealed: nothing in them can be compressed, and trying takes time.
ALTER TABLE entries ALTER COLUMN value SET STORAGE EXTERNAL;

CREATE INDEX entries_expiring ON entries (expires_at) WHERE expires_at IS NOT NULL;

-- The commits of the last minutes: whoever lost the connection before the answer came asks here what became of it. The id
-- begins with the time, so that the newest stand together.
CREATE TABLE commits (id uuid PRIMARY KEY) WITH (autovacuum_vacuum_scale_factor = 0.05);

-- How often something was done in the window that is open, under the digest of what it is counted by. Unlogged: counts wait
-- for no disk, and begin anew after a crash.
CREATE UNLOGGED TABLE counts (
  key text COLLATE "C" PRIMARY KEY,
  uses bigint NOT NULL,
  ends_at bigint NOT NULL
) WITH (fillfactor = 50);

CREATE INDEX counts_ending ON counts (ends_at);

-- All writes if every guard holds, else none; answers which. One statement, and so one transaction, which has to be READ
-- COMMITTED: each look below sees what was committed while it waited for the lock before it.
--
-- Values stand one behind the other in "payload", first those of guards, then those of writes; a size of null stands for
-- nothing: a guard for which nothing may be there, a write that removes. Guards come in the order of their keys, and so do
-- writes, puts and removals before counts, so that no two commits wait for each other. What is absent cannot be locked: an
-- entry that has expired long ago is put in its place, and whoever comes to the same key waits for its end.
--
-- kinds: "put" (also removes), "add" (the count there grows by the amount), "number" (under the next number of the key).
CREATE FUNCTION commit_entries(
  commit_id uuid,
  asked_at float8,
  payload bytea,
  guard_keys text[],
  guard_sizes integer[],
  guards_written boolean[],
  write_keys text[],
  write_sizes integer[],
  lifetimes float8[],
  kinds text[],
  amounts bigint[]
) RETURNS boolean
LANGUAGE plpgsql
SET search_path FROM CURRENT
AS $$
DECLARE
  offset_in_payload integer := 1;
  at float8;
  expiry bigint;
  found_value bytea;
  found_expiry bigint;
  is_there boolean;
  placed text[] := '{}';
  target text;
BEGIN
  FOR i IN 1 .. cardinality(guard_keys) LOOP
    LOOP
      IF guards_written[i] THEN
        SELECT value, expires_at INTO found_value, found_expiry
          FROM entries WHERE key = guard_keys[i] FOR UPDATE;
      ELSE
        SELECT value, expires_at INTO found_value, found_expiry
          FROM entries WHERE key = guard_keys[i] FOR SHARE;
      END IF;
      EXIT WHEN FOUND;
      found_expiry := 0;
      EXIT WHEN guard_sizes[i] IS NOT NULL;
      INSERT INTO entries (key, value, expires_at) VALUES (guard_keys[i], '', 0) ON CONFLICT (key) DO NOTHING;
      IF FOUND THEN
        placed := placed || guard_keys[i];
        EXIT;
      END IF;
    END LOOP;
    at := coalesce(asked_at, extract(epoch FROM clock_timestamp()) * 1000);
    is_there := found_expiry IS NULL OR found_expiry > at;
    IF is_there <> (guard_sizes[i] IS NOT NULL)
      OR (is_there AND found_value <> substring(payload FROM offset_in_payload FOR guard_sizes[i])) THEN
      DELETE FROM entries WHERE key = ANY (placed);
      RETURN false;
    END IF;
    offset_in_payload := offset_in_payload + coalesce(guard_sizes[i], 0);
  END LOOP;

  at := coalesce(asked_at, extract(epoch FROM clock_timestamp()) * 1000);
  FOR i IN 1 .. cardinality(write_keys) LOOP
    expiry := ceil(at + lifetimes[i] * 1000);
    target := write_keys[i];
    IF kinds[i] = 'add' OR kinds[i] = 'number' THEN
      INSERT INTO entries AS counted (key, value, expires_at)
        VALUES (
          CASE kinds[i] WHEN 'number' THEN target || '#' ELSE target END,
          convert_to(amounts[i]::text, 'UTF8'),
          CASE kinds[i] WHEN 'number' THEN NULL ELSE expiry END
        )
        ON CONFLICT (key) DO UPDATE SET
          value = CASE
            WHEN counted.expires_at <= at THEN excluded.value
            ELSE convert_to((convert_from(counted.value, 'UTF8')::bigint + amounts[i])::text, 'UTF8')
          END,
          expires_at = excluded.expires_at
        RETURNING value INTO found_value;
      CONTINUE WHEN kinds[i] = 'add';
      target := target || '/' || lpad(convert_from(found_value, 'UTF8'), 16, '0');
    END IF;
    IF write_sizes[i] IS NULL THEN
      DELETE FROM entries WHERE key = target;
    ELSE
      INSERT INTO entries (key, value, expires_at)
        VALUES (target, substring(payload FROM offset_in_payload FOR write_sizes[i]), expiry)
        ON CONFLICT (key) DO UPDATE SET value = excluded.value, expires_at = excluded.expires_at;
      offset_in_payload := offset_in_payload + write_sizes[i];
    END IF;
  END LOOP;

  IF cardinality(placed) > 0 THEN
    DELETE FROM entries WHERE key = ANY (placed) AND expires_at = 0;
  END IF;
  -- Somebody who asked what became of this commit was told that it had not happened where the id stands here already.
  INSERT INTO commits (id) VALUES (commit_id);
  RETURN true;
END
$$;
