package kernel

import (
	"fmt"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/types/known/structpb"

	configv1 "github.com/pluggableharness/plugin-tools/interop/go/gen/pluggableharness/config/v1"
)

// decodeConfig fits a provider block to the plugin's own schema: unknown and missing attributes and wrong types
// are errors, an absent attribute gets its default or its type's zero value.
func decodeConfig(attributes []*configv1.ConfigAttribute, given *structpb.Struct) (*structpb.Struct, error) {
	known := make(map[string]bool, len(attributes))
	config := &structpb.Struct{Fields: make(map[string]*structpb.Value, len(attributes))}
	for _, attribute := range attributes {
		name := attribute.GetName()
		known[name] = true
		value, err := decodeAttribute(attribute, given.GetFields()[name])
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		config.Fields[name] = value
	}
	for name := range given.GetFields() {
		if !known[name] {
			return nil, fmt.Errorf("%s: the plugin has no such attribute", name)
		}
	}
	return config, nil
}

func decodeAttribute(attribute *configv1.ConfigAttribute, given *structpb.Value) (*structpb.Value, error) {
	switch {
	case given != nil:
	case attribute.GetRequired():
		return nil, fmt.Errorf("is required")
	case attribute.DefaultJson != nil:
		if attribute.GetSensitive() {
			return nil, fmt.Errorf("a sensitive attribute must not have a default")
		}
		given = &structpb.Value{}
		if err := protojson.Unmarshal([]byte(attribute.GetDefaultJson()), given); err != nil {
			return nil, fmt.Errorf("default_json: %w", err)
		}
	default:
		return zeroValue(attribute.GetType()), nil
	}
	if attribute.GetType() != configv1.AttrType_ATTR_TYPE_OBJECT {
		return given, checkType(attribute.GetType(), given)
	}
	object := given.GetStructValue()
	if object == nil {
		return nil, fmt.Errorf("must be an object")
	}
	decoded, err := decodeConfig(attribute.GetObjectAttributes(), object)
	return structpb.NewStructValue(decoded), err
}

func zeroValue(attr configv1.AttrType) *structpb.Value {
	switch attr {
	case configv1.AttrType_ATTR_TYPE_STRING:
		return structpb.NewStringValue("")
	case configv1.AttrType_ATTR_TYPE_NUMBER:
		return structpb.NewNumberValue(0)
	case configv1.AttrType_ATTR_TYPE_BOOL:
		return structpb.NewBoolValue(false)
	case configv1.AttrType_ATTR_TYPE_LIST_STRING, configv1.AttrType_ATTR_TYPE_LIST_NUMBER:
		return structpb.NewListValue(&structpb.ListValue{})
	default:
		return structpb.NewStructValue(&structpb.Struct{})
	}
}

func checkType(attr configv1.AttrType, value *structpb.Value) error {
	switch attr {
	case configv1.AttrType_ATTR_TYPE_STRING:
		return want[*structpb.Value_StringValue](value, "a string")
	case configv1.AttrType_ATTR_TYPE_NUMBER:
		return want[*structpb.Value_NumberValue](value, "a number")
	case configv1.AttrType_ATTR_TYPE_BOOL:
		return want[*structpb.Value_BoolValue](value, "true or false")
	case configv1.AttrType_ATTR_TYPE_LIST_STRING:
		return wantEach[*structpb.Value_StringValue](value.GetListValue().GetValues(), value, "a list of strings")
	case configv1.AttrType_ATTR_TYPE_LIST_NUMBER:
		return wantEach[*structpb.Value_NumberValue](value.GetListValue().GetValues(), value, "a list of numbers")
	case configv1.AttrType_ATTR_TYPE_MAP_STRING:
		for _, element := range value.GetStructValue().GetFields() {
			if err := want[*structpb.Value_StringValue](element, "a map of strings"); err != nil {
				return err
			}
		}
		return want[*structpb.Value_StructValue](value, "a map of strings")
	default:
		return fmt.Errorf("the plugin declares no type for it")
	}
}

func want[Kind any](value *structpb.Value, words string) error {
	if _, ok := value.GetKind().(Kind); !ok {
		return fmt.Errorf("must be %s", words)
	}
	return nil
}

func wantEach[Kind any](elements []*structpb.Value, list *structpb.Value, words string) error {
	for _, element := range elements {
		if err := want[Kind](element, words); err != nil {
			return err
		}
	}
	return want[*structpb.Value_ListValue](list, words)
}
