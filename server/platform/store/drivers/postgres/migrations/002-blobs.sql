-- least reader: 1

-- Larger things that are kept for hours, sealed by whoever puts them here: pictures for who reviews a session. Apart from the
-- records, so that neither a snapshot nor a backup has them.
CREATE TABLE blobs (
  owner text COLLATE "C" NOT NULL,
  name text COLLATE "C" NOT NULL,
  bytes bytea NOT NULL,
  PRIMARY KEY (owner, name)
) WITH (autovacuum_vacuum_scale_factor = 0.05);

ALTER TABLE blobs ALTER COLUMN bytes SET STORAGE EXTERNAL;
