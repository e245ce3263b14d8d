import { describe, expect, it } from "vitest";
import { isTopicFilter, matchesTopic, topicOf } from "./topic.ts";

describe("a topic", () => {
  it.each([
    ["saved", "filesystem.saved"],
    ["", undefined],
    ["a.b", undefined],
    ["*", undefined],
    ["a*", undefined],
    ["a b", undefined],
  ])("of the event type %j is %j", (eventType, topic) => {
    expect(topicOf("filesystem", eventType)).toBe(topic);
  });

  it.each([
    ["a.b", "a.b", true],
    ["a.*", "a.b", true],
    ["*.b", "a.b", true],
    ["*.*", "a.b", true],
    ["*", "a.b", false],
    ["a.b.*", "a.b", false],
    ["a.c", "a.b", false],
  ])("is asked for by the filter %j and %j: %j", (filter, topic, matches) => {
    expect(matchesTopic(filter, topic)).toBe(matches);
  });

  it.each([
    ["a.*", true],
    ["*", true],
    ["", false],
    ["a.", false],
    ["a.b*", false],
  ])("has the filter %j: %j", (filter, is) => {
    expect(isTopicFilter(filter)).toBe(is);
  });
});
