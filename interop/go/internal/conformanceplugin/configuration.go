package conformanceplugin

import (
	"os"
	"path/filepath"

	"google.golang.org/protobuf/types/known/structpb"
)

// configuration is what Configure accepted. The token is not in it: what is not kept cannot be told.
type configuration struct {
	root     string
	greeting string
}

func configurationOf(config *structpb.Struct) (*configuration, error) {
	fields := config.GetFields()
	for _, attribute := range configSchema.GetAttributes() {
		value := fields[attribute.GetName()]
		if _, isText := value.GetKind().(*structpb.Value_StringValue); value != nil && !isText {
			return nil, invalid("%s: expected a string", attribute.GetName())
		}
	}
	// The kernel sends "" for what is not set.
	given := fields["root"].GetStringValue()
	if given == "" {
		return nil, invalid("root: it is required; give the absolute path of a directory")
	}
	if !filepath.IsAbs(given) {
		return nil, invalid("root: %s is not absolute", given)
	}
	root, err := filepath.EvalSymlinks(given)
	if err != nil {
		return nil, invalid("root: there is no directory %s", given)
	}
	if info, err := os.Stat(root); err != nil || !info.IsDir() {
		return nil, invalid("root: %s is not a directory", given)
	}
	greeting := fields["greeting"].GetStringValue()
	if greeting == "" {
		greeting = "hello"
	}
	return &configuration{root: root, greeting: greeting}, nil
}
