-- The roles of a store on PostgreSQL: one that owns the tables and changes them, and one that the servers work with. Run it once in the
-- database, as a superuser or as its owner with CREATEROLE:
--
--   createdb --encoding UTF8 --template template0 selfsame
--   psql --dbname selfsame --file ops/postgres-roles.sql
--
-- Then give each a password (\password selfsame_owner, \password selfsame_runtime), which is not to stand in a file.

CREATE ROLE selfsame_owner LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE;
CREATE ROLE selfsame_runtime LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE;

-- Nobody else comes in, and nobody makes anything outside the schemas of the owner.
DO $$
BEGIN
  EXECUTE format('REVOKE ALL ON DATABASE %I FROM PUBLIC', current_database());
  EXECUTE format('GRANT CONNECT, CREATE ON DATABASE %I TO selfsame_owner', current_database());
  EXECUTE format('GRANT CONNECT ON DATABASE %I TO selfsame_runtime', current_database());
END
$$;
REVOKE ALL ON SCHEMA public FROM PUBLIC;

-- Whatever the owner makes from now on, the servers may read and change the rows of, and no more.
ALTER DEFAULT PRIVILEGES FOR ROLE selfsame_owner GRANT USAGE ON SCHEMAS TO selfsame_runtime;
ALTER DEFAULT PRIVILEGES FOR ROLE selfsame_owner GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO selfsame_runtime;
ALTER DEFAULT PRIVILEGES FOR ROLE selfsame_owner GRANT USAGE ON SEQUENCES TO selfsame_runtime;
