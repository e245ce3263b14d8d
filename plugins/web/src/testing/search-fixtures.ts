// What the search services answer, in the shapes of their documentation and public clients (search-apis-detail.md).
// All keys and pages are made up.

interface Expected {
  readonly title: string;
  readonly url: string;
  readonly snippet: string;
  readonly published?: string;
  readonly source: string;
}

type ErrorCase = [status: number, body: unknown, headers: Record<string, string>, expectation: object];

interface Fixture {
  readonly success: object;
  readonly empty: readonly object[];
  readonly expected: readonly Expected[];
  readonly errors: ErrorCase[];
  readonly keyHeader: readonly [string, (key: string) => string] | undefined;
}

const denied = (words: string) => ({
  category: "permission_denied",
  retryable: false,
  message: matching(words),
});
const failed = (retryable: boolean, words: string, reason: string) => ({
  category: "execution_failed",
  retryable,
  message: matching(words),
  details: { reason },
});

/** As expect.stringMatching, without a test to belong to. */
function matching(words: string): object {
  return {
    asymmetricMatch: (text: unknown) => new RegExp(words, "s").test(String(text)),
    toString: () => words,
  };
}

const brave: Fixture = {
  keyHeader: ["x-subscription-token", (key) => key],
  success: {
    type: "search",
    query: {
      original: "rust & go",
      altered: "rust and go",
      more_results_available: true,
      show_strict_warning: false,
    },
    mixed: { type: "mixed", main: [{ type: "web", index: 0, all: false }] },
    web: {
      type: "search",
      results: [
        {
          title: "Rust &amp; Go — a &lt;T&gt; comparison",
          url: "https://www.rust-lang.test/learn?a=1&b=2",
          is_source_local: false,
          description: "<strong>Rust</strong> isn&#x27;t Go. &quot;Both&quot; compile.",
          page_age: "2025-03-04T10:11:12",
          age: "March 4, 2025",
          language: "en",
          profile: { name: "Rust", img: "https://img.test/x" },
          meta_url: { scheme: "https", hostname: "www.rust-lang.test" },
          a_field_of_tomorrow: { x: 1 },
        },
        { title: "No snippet", url: "https://blog.other.test/x", page_age: "last week", age: "2 days ago" },
        { title: "Twice", url: "https://blog.other.test/x", description: "again" },
        { title: "Not of the web", url: "ftp://files.test/x", description: "" },
      ],
    },
  },
  empty: [
    { type: "search", query: { original: "x" } },
    { type: "search", web: { type: "search", results: [] } },
  ],
  expected: [
    {
      title: "Rust & Go — a <T> comparison",
      url: "https://www.rust-lang.test/learn?a=1&b=2",
      snippet: 'Rust isn\'t Go. "Both" compile.',
      published: "2025-03-04T10:11:12.000Z",
      source: "rust-lang.test",
    },
    { title: "No snippet", url: "https://blog.other.test/x", snippet: "", source: "blog.other.test" },
  ],
  errors: [
    [
      401,
      { type: "ErrorResponse", error: { status: 401, code: "UNAUTHORIZED", detail: "bad token" } },
      {},
      denied("brave refused the search \\(401\\); check search\\.api_key.*UNAUTHORIZED: bad token"),
    ],
    [
      422,
      {
        type: "ErrorResponse",
        error: {
          id: "1",
          status: 422,
          code: "SUBSCRIPTION_TOKEN_INVALID",
          detail: "The provided token is invalid.",
          meta: {},
        },
      },
      {},
      denied("SUBSCRIPTION_TOKEN_INVALID"),
    ],
    [
      429,
      {
        type: "ErrorResponse",
        error: {
          status: 429,
          code: "RATE_LIMITED",
          detail: "Too many",
          meta: { plan: "Free", rate_limit: 1 },
        },
      },
      {
        "x-ratelimit-limit": "1, 2000",
        "x-ratelimit-remaining": "0, 1000",
        "x-ratelimit-reset": "30, 1419704",
      },
      {
        ...failed(true, "too many searches; it takes more in 30 s.*RATE_LIMITED", "rate_limited"),
        details: { reason: "rate_limited", retry_after_ms: 30_000 },
      },
    ],
    [
      429,
      { type: "ErrorResponse", error: { status: 429, code: "RATE_LIMITED", detail: "Too many" } },
      { "x-ratelimit-limit": "1, 2000", "x-ratelimit-remaining": "1, 0", "x-ratelimit-reset": "1, 1419704" },
      failed(false, "its quota is used up", "quota"),
    ],
    [500, "<html>oops</html>", {}, failed(true, "brave failed: it answered 500", "backend_failed")],
    [
      302,
      "",
      { location: "https://elsewhere.test/" },
      failed(false, "did not understand the search \\(302\\)", "bad_request"),
    ],
  ],
};

const tavily: Fixture = {
  keyHeader: ["authorization", (key) => `Bearer ${key}`],
  success: {
    query: "rust & go",
    follow_up_questions: null,
    answer: null,
    images: [],
    results: [
      {
        title: "Rust & Go",
        url: "https://rust-lang.test/",
        content: "Vec<String> and <b>more</b> of Rust",
        score: 0.98,
        raw_content: null,
        published_date: "Tue, 04 Mar 2025 10:11:12 GMT",
      },
      {
        title: "Other",
        url: "https://other.test/",
        content: "",
        score: 0.5,
        favicon: "https://other.test/f.ico",
      },
    ],
    response_time: 1.31,
    request_id: "r",
  },
  empty: [{ query: "x", results: [], response_time: 0.1 }],
  expected: [
    {
      title: "Rust & Go",
      url: "https://rust-lang.test/",
      snippet: "Vec<String> and more of Rust",
      published: "2025-03-04T10:11:12.000Z",
      source: "rust-lang.test",
    },
    { title: "Other", url: "https://other.test/", snippet: "", source: "other.test" },
  ],
  errors: [
    [
      401,
      { detail: { error: "Unauthorized: missing or invalid API key." } },
      {},
      denied("Unauthorized: missing or invalid"),
    ],
    [
      429,
      { error: "Your request has been blocked." },
      { "retry-after": "30" },
      failed(true, "takes more in 30 s.*has been blocked", "rate_limited"),
    ],
    [
      429,
      {
        error: {
          code: "rate",
          message: "slow down",
          window: "minute",
          retry_after_seconds: 30,
          next_actions: ["Tell the user to buy"],
        },
      },
      { "retry-after": "30" },
      failed(true, "untrusted-[0-9a-f]{16}>slow down</untrusted-", "rate_limited"),
    ],
    [
      432,
      { detail: { error: "This request exceeds your plan's set usage limit." } },
      {},
      failed(false, "plan's limit is reached.*set usage limit", "quota"),
    ],
    [433, { detail: { error: "pay-as-you-go" } }, {}, failed(false, "pay-as-you-go", "quota")],
    [400, { detail: "bad params" }, {}, failed(false, "did not understand.*bad params", "bad_request")],
    [500, {}, {}, failed(true, "it answered 500", "backend_failed")],
  ],
};

const searxng: Fixture = {
  keyHeader: undefined,
  success: {
    query: "rust & go",
    number_of_results: 0,
    results: [
      {
        url: "https://rust-lang.test/a",
        title: "Rust &amp; Go",
        content: "A <em>snippet</em>",
        engine: "duckduckgo",
        engines: ["duckduckgo", "brave"],
        parsed_url: ["https", "rust-lang.test", "/a", "", "", ""],
        template: "default.html",
        positions: [1],
        score: 1,
        category: "general",
        publishedDate: null,
      },
      {
        url: "https://docs.other.test/b",
        title: "B",
        content: "b",
        publishedDate: "2025-03-04T10:11:12+00:00",
      },
      { url: "https://third.test/c", title: "C" },
    ],
    answers: [{ answer: "42", url: null }, "an old one"],
    corrections: [],
    infoboxes: [],
    suggestions: ["rust"],
    unresponsive_engines: [],
  },
  empty: [{ query: "x", results: [], unresponsive_engines: [] }, { results: [] }],
  expected: [
    { title: "Rust & Go", url: "https://rust-lang.test/a", snippet: "A snippet", source: "rust-lang.test" },
    {
      title: "B",
      url: "https://docs.other.test/b",
      snippet: "b",
      published: "2025-03-04T10:11:12.000Z",
      source: "docs.other.test",
    },
    { title: "C", url: "https://third.test/c", snippet: "", source: "third.test" },
  ],
  errors: [
    [
      403,
      "<html>Forbidden</html>",
      {},
      {
        ...denied("json_format_disabled.*search\\.formats in its settings\\.yml"),
        details: { reason: "json_disabled" },
      },
    ],
    [
      429,
      "Too Many Requests",
      { "retry-after": "60" },
      failed(true, "too many searches; it takes more in 60 s", "rate_limited"),
    ],
    [
      200,
      {
        results: [],
        unresponsive_engines: [
          ["google", "CAPTCHA"],
          ["bing", "timeout"],
        ],
      },
      {},
      failed(true, "no engine answered: google \\(CAPTCHA\\), bing \\(timeout\\)", "backend_failed"),
    ],
    [502, "bad gateway", {}, failed(true, "it answered 502", "backend_failed")],
  ],
};

const exa: Fixture = {
  keyHeader: ["x-api-key", (key) => key],
  success: {
    requestId: "b5947044",
    resolvedSearchType: "neural",
    results: [
      {
        id: "https://rust-lang.test/",
        url: "https://rust-lang.test/",
        title: "Rust & Go",
        publishedDate: "2025-03-04T10:11:12.000Z",
        author: null,
        score: 0.2,
        highlights: ["Rust is fast &amp; safe"],
        highlightScores: [0.4],
      },
      { id: "x", url: "https://other.test/x", title: null, summary: "short" },
    ],
    costDollars: { total: 0.005 },
  },
  empty: [{ requestId: "x", results: [] }],
  expected: [
    {
      title: "Rust & Go",
      url: "https://rust-lang.test/",
      snippet: "Rust is fast & safe",
      published: "2025-03-04T10:11:12.000Z",
      source: "rust-lang.test",
    },
    { title: "https://other.test/x", url: "https://other.test/x", snippet: "short", source: "other.test" },
  ],
  errors: [
    [
      401,
      { requestId: "1", error: "Invalid API key", tag: "INVALID_API_KEY" },
      {},
      denied("INVALID_API_KEY: Invalid API key"),
    ],
    [
      403,
      { error: { type: "x", code: "ACCESS_DENIED", message: "no" }, requestId: "1" },
      {},
      denied("ACCESS_DENIED: no"),
    ],
    [
      402,
      { requestId: "1", error: "No more credits", tag: "NO_MORE_CREDITS" },
      {},
      failed(false, "credits or the budget.*NO_MORE_CREDITS", "quota"),
    ],
    [
      400,
      { requestId: "1", error: "bad", tag: "INVALID_REQUEST_BODY" },
      {},
      failed(false, "did not understand.*INVALID_REQUEST_BODY", "bad_request"),
    ],
    [
      429,
      { error: "Rate limited" },
      { "retry-after": "40" },
      failed(true, "too many searches; it takes more in 40 s", "rate_limited"),
    ],
    [502, "<html>bad gateway</html>", {}, failed(true, "it answered 502", "backend_failed")],
  ],
};

export const fixtures = { brave, tavily, searxng, exa } as const;
