#!/bin/sh
# Before the package goes: every person's agent takes back what it changed, then the certificate leaves the system's
# store. An upgrade ("upgrade", "1") changes nothing.
set -u
case "${1:-remove}" in
  upgrade | 1) exit 0 ;;
esac
app='/opt/Content Security Agent/resources'
for home in /home/* /root; do
  state="$home/.local/state/content-security-agent"
  [ -d "$state" ] || continue
  user=$(stat -c %U "$state") || continue
  id=$(id -u "$user") || continue
  # As that person, never as root: what lies in a home is that person's own word.
  timeout 30 runuser -u "$user" -- env -i \
    HOME="$home" PATH=/usr/bin:/bin DBUS_SESSION_BUS_ADDRESS="unix:path=/run/user/$id/bus" XDG_RUNTIME_DIR="/run/user/$id" \
    "$app/node/node" "$app/agent/src/agent/cli.js" unenroll || true
done
file=/usr/local/share/ca-certificates/content-security-agent.crt
if [ -e "$file" ]; then
  rm -f "$file"
  update-ca-certificates --fresh >/dev/null 2>&1 || true
fi
exit 0
