#!/bin/sh
# Installs leaddb: downloads the executable of this machine, checks its SHA-256, and puts it where programs are found.
#   curl -fsSL https://github.com/leaddb/leaddb/releases/latest/download/install.sh | sh
# LEADDB_VERSION takes another version than the newest, LEADDB_BIN another folder, LEADDB_DOWNLOADS another server.
set -eu

REPOSITORY="leaddb/leaddb"

say() { printf '%s\n' "leaddb: $*" >&2; }
fail() { say "$*"; exit 1; }
has() { command -v "$1" >/dev/null 2>&1; }

fetch() {
  if has curl; then curl -fsSL --retry 2 -o "$2" "$1"
  elif has wget; then wget -q -O "$2" "$1"
  else fail "neither curl nor wget is here: install one of them"
  fi || fail "could not download $1"
}

sum_of() {
  if has sha256sum; then sha256sum "$1" | cut -d ' ' -f 1
  elif has shasum; then shasum -a 256 "$1" | cut -d ' ' -f 1
  else fail "neither sha256sum nor shasum is here: the download cannot be checked"
  fi
}

target() {
  case "$(uname -s)" in
    Linux) system=linux ;;
    Darwin) system=macos ;;
    *) fail "there is no executable for $(uname -s): see https://github.com/$REPOSITORY/releases" ;;
  esac
  case "$(uname -m)" in
    x86_64 | amd64) cpu=x64 ;;
    aarch64 | arm64) cpu=arm64 ;;
    *) fail "there is no executable for $(uname -m)" ;;
  esac
  libc=""
  if [ "$system" = linux ] && ! has getconf && [ -n "$(ls /lib/ld-musl-* 2>/dev/null)" ]; then libc="-musl"
  elif [ "$system" = linux ] && ! getconf GNU_LIBC_VERSION >/dev/null 2>&1 && [ -n "$(ls /lib/ld-musl-* 2>/dev/null)" ]; then libc="-musl"
  fi
  printf '%s-%s%s' "$system" "$cpu" "$libc"
}

folder() {
  if [ -n "${LEADDB_BIN:-}" ]; then printf '%s' "$LEADDB_BIN"
  elif [ -w /usr/local/bin ]; then printf '/usr/local/bin'
  else printf '%s/.local/bin' "$HOME"
  fi
}

main() {
  if [ -n "${LEADDB_VERSION:-}" ]; then base="https://github.com/$REPOSITORY/releases/download/v$LEADDB_VERSION"
  else base="https://github.com/$REPOSITORY/releases/latest/download"
  fi
  base="${LEADDB_DOWNLOADS:-$base}"
  machine="$(target)"
  into="$(folder)"
  work="$(mktemp -d)"
  trap 'rm -rf "$work"' EXIT
  fetch "$base/SHA256SUMS" "$work/SHA256SUMS"
  # Two spaces, as sha256sum writes them; the name has the version in it.
  line="$(grep -E "^[0-9a-f]{64}  leaddb-[0-9]+\.[0-9]+\.[0-9]+-$machine\$" "$work/SHA256SUMS")" || fail "this release has no executable for $machine"
  name="${line#*  }"
  say "downloading $name"
  fetch "$base/$name" "$work/leaddb"
  [ "$(sum_of "$work/leaddb")" = "${line%%  *}" ] || fail "$name is not what SHA256SUMS says: nothing was installed"
  chmod 755 "$work/leaddb"
  mkdir -p "$into"
  # In place of an older one at once: a running service keeps its own until it is started again.
  cp "$work/leaddb" "$into/.leaddb-new"
  mv -f "$into/.leaddb-new" "$into/leaddb"
  say "installed $into/leaddb"
  case ":$PATH:" in *":$into:"*) say "start it with: leaddb" ;; *) say "add $into to PATH, then start it with: leaddb" ;; esac
}

main
