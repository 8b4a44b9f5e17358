-- The roles of a store on PostgreSQL: one that owns the tables and changes them, and one that the servers work with. Run it once in the
-- database with psql, as a superuser or as its owner with CREATEROLE; what fails changes nothing:
--
--   createdb --encoding UTF8 --template template0 selfsame
--   psql --dbname selfsame --file ops/postgres-roles.sql
--
-- Then give each a password (\password selfsame_owner, \password selfsame_runtime), and keep it out of files.

\set ON_ERROR_STOP on
BEGIN;

CREATE ROLE selfsame_owner LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE;
CREATE ROLE selfsame_runtime LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE;

-- No other role may connect, and none may create anything outside the owner's schemas.
DO $$
BEGIN
  EXECUTE format('REVOKE ALL ON DATABASE %I FROM PUBLIC', current_database());
  EXECUTE format('GRANT CONNECT, CREATE ON DATABASE %I TO selfsame_owner', current_database());
  EXECUTE format('GRANT CONNECT ON DATABASE %I TO selfsame_runtime', current_database());
END
$$;
REVOKE ALL ON SCHEMA public FROM PUBLIC;

-- If the caller may not grant a right, PostgreSQL only warns.
DO $$
BEGIN
  IF NOT has_database_privilege('selfsame_owner', current_database(), 'CREATE')
    OR has_database_privilege('selfsame_runtime', current_database(), 'TEMPORARY')
    OR has_schema_privilege('selfsame_runtime', 'public', 'USAGE') THEN
    RAISE EXCEPTION 'The role % may not change who has rights on the database %: run this as a superuser, or as its owner without NOINHERIT.',
      current_user, current_database();
  END IF;
END
$$;

-- The servers may read and change rows of every table that the owner creates from now on, and no more. The owner takes back most of it for audit
-- logs, their archives and the journal: the servers may add and read these rows, and only the owner may change or remove them (migration 003). Only a
-- member of the owner may grant this, which a role with CREATEROLE is not by itself: it becomes one for as long as this takes.
GRANT selfsame_owner TO CURRENT_USER;
SET LOCAL ROLE selfsame_owner;
ALTER DEFAULT PRIVILEGES GRANT USAGE ON SCHEMAS TO selfsame_runtime;
ALTER DEFAULT PRIVILEGES GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO selfsame_runtime;
ALTER DEFAULT PRIVILEGES GRANT USAGE ON SEQUENCES TO selfsame_runtime;
RESET ROLE;
REVOKE selfsame_owner FROM CURRENT_USER;

COMMIT;
