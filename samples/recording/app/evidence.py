"""One evidence line for one answer of the lock's authority or of the resource."""

import json
import logging
import sys
from datetime import datetime, timezone

log = logging.getLogger("lease.evidence")


def evidence(**fields):
    """Logs what was answered. Leave out what the other side did not say; never make it up."""
    fields["ts"] = datetime.now(timezone.utc).isoformat()
    log.info("%s", json.dumps(fields))


def main():
    # The line is the whole message: nothing before it, nothing after it.
    logging.basicConfig(stream=sys.stdout, level=logging.INFO, format="%(message)s")

    evidence(
        lockName="report:417:rebuild",
        event="write",
        ownerId="worker-A",
        leaseId="lease-1",
        fenceToken=9007199254740992,
        resourceKey="report/417",
        resourceHighestTokenBefore=9007199254740993,
        resourceHighestTokenAfter=9007199254740993,
        operationId="rebuild-417-1",
        result="rejected-stale-fence",
        seq=7,
        seqBy="resource",
    )


if __name__ == "__main__":
    main()
