// Package kerneltest is what the interop tests share: building and finding binaries, launching a plugin that is
// surely closed again, and a journal of what happened that can be waited on.
package kerneltest
