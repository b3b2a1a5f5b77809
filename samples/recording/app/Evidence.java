import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;

/** One evidence line for one answer of the lock's authority or of the resource. */
public final class Evidence {
    private final Map<String, Object> fields = new LinkedHashMap<>();

    /** A field that was answered. Leave out what the other side did not say. */
    public Evidence with(String name, Object value) {
        fields.put(name, value);
        return this;
    }

    /** Writes the line in one call, so that lines of two threads do not mix. */
    public void log() {
        with("ts", Instant.now());
        System.out.print(line() + "\n");
    }

    // With Jackson: new ObjectMapper().writeValueAsString(fields).
    private String line() {
        return fields.entrySet().stream()
                .map(field -> quoted(field.getKey()) + ":" + json(field.getValue()))
                .collect(Collectors.joining(",", "{", "}"));
    }

    private static String json(Object value) {
        return value == null || value instanceof Number ? String.valueOf(value) : quoted(value.toString());
    }

    private static String quoted(String text) {
        StringBuilder out = new StringBuilder("\"");
        for (char c : text.toCharArray()) {
            if (c == '"' || c == '\\') {
                out.append('\\').append(c);
            } else if (c < ' ') {
                out.append(String.format("\\u%04x", (int) c));
            } else {
                out.append(c);
            }
        }
        return out.append('"').toString();
    }

    public static void main(String[] args) {
        new Evidence()
                .with("lockName", "report:417:rebuild")
                .with("event", "write")
                .with("ownerId", "worker-A")
                .with("leaseId", "lease-1")
                .with("fenceToken", 9007199254740992L)
                .with("resourceKey", "report/417")
                .with("resourceHighestTokenBefore", 9007199254740993L)
                .with("resourceHighestTokenAfter", 9007199254740993L)
                .with("operationId", "rebuild-417-1")
                .with("result", "rejected-stale-fence")
                .with("seq", 7)
                .with("seqBy", "resource")
                .log();
    }
}
