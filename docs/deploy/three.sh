#!/bin/sh
# Three instances and HAProxy on one machine, without containers. It needs leaddb and haproxy on PATH, and
# LEADDB_DATABASE; docs/scale.md says more. Ctrl-C ends all of them.
#   LEADDB_DATABASE=postgres://leaddb:PASSWORD@127.0.0.1/leaddb LEADDB_SECRET_KEY=... sh three.sh
set -eu
: "${LEADDB_DATABASE:?set it to the address of the database}"
here=$(cd "$(dirname "$0")" && pwd)
folder=${LEADDB_FOLDER:-./instances}
# The proxy's ports for REST and MCP, and the first of the instances' ports: each has two.
export REST_PORT="${REST_PORT:-8080}" MCP_PORT="${MCP_PORT:-8081}"
first=${FIRST_PORT:-8091}
export LEADDB_PUBLIC_URL="${LEADDB_PUBLIC_URL:-http://localhost:$REST_PORT}"
export LEADDB_MCP_PUBLIC_URL="${LEADDB_MCP_PUBLIC_URL:-http://localhost:$MCP_PORT}"
export LEADDB_TRUSTED_PROXIES="${LEADDB_TRUSTED_PROXIES:-127.0.0.1/32}"

pids=
# SIGTERM lets instances finish what is in flight.
end() {
  trap - EXIT INT TERM
  [ -z "$pids" ] || kill $pids 2>/dev/null || true
  wait
}
trap end EXIT
trap 'exit 0' INT TERM

for n in 1 2 3; do
  port=$((first + 2 * n - 2))
  export "REST_$n=$port" "MCP_$n=$((port + 1))"
  # The first makes the tables where there are none; the others wait for it by themselves.
  leaddb serve --data "$folder/$n" --port "$port" --mcp-port "$((port + 1))" &
  pids="$pids $!"
done
haproxy -db -f "$here/three.cfg" &
pids="$pids $!"
wait
