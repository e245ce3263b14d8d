// Topics of the event bus: segments between dots; in a filter `*` stands for any one segment (wire.md, kernel.v1).
// Pure.

/** The topic of a plugin's event; undefined where the type is no single segment. */
export function topicOf(plugin: string, eventType: string): string | undefined {
  return /^[^.*\s]+$/.test(eventType) ? `${plugin}.${eventType}` : undefined;
}

/** Whether this can be a filter: segments that are not empty, `*` only as a whole one. */
export function isTopicFilter(filter: string): boolean {
  return filter.split(".").every((segment) => segment === "*" || /^[^*\s]+$/.test(segment));
}

/** Whether the topic is one that the filter asks for. */
export function matchesTopic(filter: string, topic: string): boolean {
  const [wanted, segments] = [filter.split("."), topic.split(".")];
  return (
    wanted.length === segments.length &&
    wanted.every((segment, index) => segment === "*" || segment === segments[index])
  );
}
