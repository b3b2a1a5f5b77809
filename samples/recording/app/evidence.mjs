// One evidence line for one answer of the lock's authority or of the resource.

// A number of JavaScript ends at 2^53; a token is a BigInt here and text in the line.
const exact = (_, value) => (typeof value === 'bigint' ? value.toString() : value);

/** Logs what was answered. `undefined` leaves a field out, `null` says that nothing was there. */
export function evidence(fields) {
  const line = JSON.stringify({ ...fields, ts: new Date().toISOString() }, exact);
  process.stdout.write(`${line}\n`);
}

evidence({
  lockName: 'report:417:rebuild',
  event: 'write',
  ownerId: 'worker-A',
  leaseId: 'lease-1',
  fenceToken: 9007199254740992n,
  resourceKey: 'report/417',
  resourceHighestTokenBefore: 9007199254740993n,
  resourceHighestTokenAfter: 9007199254740993n,
  operationId: 'rebuild-417-1',
  result: 'rejected-stale-fence',
  seq: 7,
  seqBy: 'resource',
});
