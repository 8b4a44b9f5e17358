#!/usr/bin/env bash
# Builds the image of the Dockerfile without Docker or an image registry, runs it, checks its health, has it analyse a picture,
# sends an acted visitor twice if footage of people is available, stops it, and prints its size, unpacked and compressed. Run it as root on Debian with buildah,
# debootstrap and curl; it takes some minutes and 6 GB of disk below TMPDIR. The base is built from this machine's Debian mirror,
# and Node and npm are installed from npm packages.
#
#   ops/try-image.sh [NODE_MAJOR]
set -euo pipefail
cd "$(dirname "$0")/.."
node_major=${1:-24}
work=$(mktemp -d)
export BUILDAH_ISOLATION=chroot STORAGE_DRIVER=vfs
buildah() { command buildah --root "$work/images" --runroot "$work/run" "$@"; }
server=''
clean() {
  [ -z "$server" ] || kill -KILL -- "-$server" 2>/dev/null || true
  buildah rm --all >/dev/null 2>&1 || true
  rm -rf "$work"
}
trap clean EXIT

. /etc/os-release
mirror=$(apt-get indextargets --format '$(REPO_URI) $(CODENAME)' 'Created-By: Packages' |
  awk -v suite="$VERSION_CODENAME" '$2 == suite { print $1; exit }')

echo "1. A base of Debian $VERSION_CODENAME without documentation, like slim images"
debootstrap --variant=minbase "$VERSION_CODENAME" "$work/base" "$mirror" >"$work/debootstrap.log" ||
  { tail "$work/debootstrap.log"; exit 1; }
rm -rf "$work"/base/{usr/share/{doc,man,info,locale,lintian},var/cache/apt,var/lib/apt/lists,var/log}/*
base=$(buildah from scratch)
buildah copy -q "$base" "$work/base" / >/dev/null
buildah commit -q --squash "$base" localhost/debian-slim >/dev/null

echo "2. Node $node_major and npm on it"
case $(uname -m) in x86_64) machine=x64 ;; aarch64) machine=arm64 ;; *) echo "No Node for $(uname -m)"; exit 1 ;; esac
mkdir "$work/node"
npm install --prefix "$work/node" --ignore-scripts --no-audit --no-fund --loglevel=error \
  "node-linux-$machine@$node_major" npm@11
packaged="$work/node/node_modules/node-linux-$machine"
tools=$(buildah from localhost/debian-slim)
buildah copy -q "$tools" "$packaged/bin/node" /usr/local/bin/node >/dev/null
buildah copy -q "$tools" "$packaged/LICENSE" /usr/local/LICENSE >/dev/null
buildah copy -q "$tools" "$work/node/node_modules/npm" /usr/local/lib/node_modules/npm >/dev/null
buildah run "$tools" -- ln -s ../lib/node_modules/npm/bin/npm-cli.js /usr/local/bin/npm
buildah config --env npm_config_cache=/npm-cache "$tools"
buildah commit -q "$tools" localhost/node-slim >/dev/null

echo "3. The image"
# In Docker's format, because OCI's has no HEALTHCHECK. Uses npm's cache of this machine.
buildah build -q --format docker --layers=false --volume "$(npm config get cache 2>/dev/null):/npm-cache:rw" \
  --build-arg NODE_IMAGE=localhost/node-slim --build-arg BASE_IMAGE=localhost/debian-slim \
  --tag localhost/selfsame . >/dev/null
container=$(buildah from localhost/selfsame)
folder=$(buildah mount "$container")

echo "4. Running it"
code=0
port=$(node -e "const s = require('node:net').createServer().listen(0, () => { console.log(s.address().port); s.close() })")
key=$(node -p "require('node:crypto').randomBytes(33).toString('base64url')")
setsid "$(type -P buildah)" --root "$work/images" --runroot "$work/run" run \
  --env PORT="$port" --env FIRST_API_KEY="$key" --env CHALLENGE_ACTIONS=turnLeft,turnRight,lookUp "$container" -- node dist/server/main.js >"$work/log" 2>&1 &
server=$!
for _ in $(seq 60); do
  curl -fs "http://127.0.0.1:$port/v1/readyz" >"$work/ready" && break
  sleep 1
done
cat "$work/ready" || { cat "$work/log"; exit 1; }
echo
buildah inspect "$container" >"$work/inspected"
node -e "
  const { Docker } = JSON.parse(require('node:fs').readFileSync(process.argv[1], 'utf8'))
  const [, ...words] = Docker.config.Healthcheck.Test
  process.stdout.write(words.join('\0') + '\0')" "$work/inspected" >"$work/health"
mapfile -d '' -t health <"$work/health"
buildah run --env PORT="$port" "$container" -- "${health[@]}"
echo 'Healthy according to its HEALTHCHECK'
node -e "
  const picture = require('node:fs').readFileSync('tests/support/pictures/astronaut.png')
  process.stdout.write(JSON.stringify({ image: { bytes: picture.toString('base64') } }))" |
  curl -fsS -H "authorization: ApiKey $key" -H 'content-type: application/json' --data-binary @- \
    "http://127.0.0.1:$port/v1/face-verification/detect-faces" >"$work/faces"
node -e "
  const { faces } = JSON.parse(require('node:fs').readFileSync(process.argv[1], 'utf8'))
  if (faces.length !== 1) process.exit(1)
  console.log('Analysed: one face in the picture')" "$work/faces"
if [ -e ../shared/data ] && [ -d node_modules ]; then
  # Visits of which none passes, or one ends without a result, fail the script only after the sizes.
  SELFSAME_API_KEY="$key" npm run -s acted -- Krzysiek354_real.webm 2 --at "http://127.0.0.1:$port" || code=1
else
  echo 'No visit, because it needs footage of people and the packages of this folder (npm ci)'
fi

echo "5. Its size"
in_megabytes() { awk -v what="$1" -v most="$2" '{ printf "%.0f MB %s, of at most %d\n", $1 / 1e6, what, most; exit $1 > most * 1e6 }'; }
du -s --apparent-size --block-size=1 "$folder" | in_megabytes unpacked 385 || code=1
for part in usr/local/bin/node app/node_modules app/dist app/models app/docs; do
  du -s --apparent-size --block-size=1 "$folder/$part" |
    awk -v part="$part" '{ printf "%7.1f MB  /%s\n", $1 / 1e6, part }'
done
# What a registry stores and a machine downloads: layers as gzip.
buildah push -q localhost/selfsame "oci:$work/pushed" >/dev/null
du -s --apparent-size --block-size=1 "$work/pushed/blobs" | in_megabytes 'as gzip' 160 || code=1
exit "$code"
