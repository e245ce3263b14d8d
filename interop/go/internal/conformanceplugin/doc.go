// Package conformanceplugin is the tool plugin `notes`, on go-plugin's own library: small operations that between
// them meet every rule that the conformance kit checks. The command conformance-good serves it as it is;
// conformance-bad serves it with defects.
package conformanceplugin
