// Evidence whose every name tries to be something else, short and very long.
const names = [
  "<script>alert(1)</script>",
  '"><img src=x onerror=alert(1)>',
  "</script><svg onload=alert(1)>",
  "' onmouseover='alert(1)",
  "[click](javascript:alert(1)) ![x](https://evil.example/x.png)",
  "https://evil.example/ www.evil.example mail@evil.example",
  "a|b\\|c`d``e\n# heading\n\n- item\n```\n~~~",
  "\u202egpj.exe\u2066\u200b\ufeff",
  "\ufdd0mark\ufdd1",
  "\u001b[31mred\u0007",
  "",
  " `` ",
  "鍵鍵鍵鍵鍵鍵鍵鍵鍵鍵鍵鍵鍵鍵鍵鍵",
  "مالك القفل",
];
names.forEach((short, n) => {
  for (const name of [short, short + "x".repeat(10000)]) {
    const step = (ownerId, fenceToken, resourceHighestTokenBefore, result, seq) =>
      console.log(JSON.stringify({
        lockName: `${n}${name}`, ownerId, event: result === "acquired" ? "acquire" : "write",
        leaseId: `${name}${fenceToken}`, fenceToken, resourceHighestTokenBefore, result, seq,
        seqBy: "resource", resourceKey: name, operationId: name, ts: name,
      }));
    step(name, 1, 0, "acquired", 1);
    step(`${name}!`, 2, 0, "acquired", 2);
    step(`${name}!`, 2, 0, "accepted", 3);
    step(name, 1, 2, "accepted", 4);
    step(name, 1, 2, "rejected-stale-fence", 5);
  }
});
