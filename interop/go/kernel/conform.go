package kernel

import (
	"fmt"
	"slices"

	"google.golang.org/protobuf/types/known/structpb"

	schemav1 "github.com/pluggableharness/plugin-tools/interop/go/gen/pluggableharness/schema/v1"
)

// conform is the kernel's validation of a result: strict on types, required properties, enum membership and
// everything nested, lenient on properties the schema does not name.
func conform(schema *schemav1.Schema, value *structpb.Value, path string) error {
	switch schema.GetType() {
	case schemav1.SchemaType_SCHEMA_TYPE_OBJECT:
		return conformObject(schema, value.GetStructValue(), path)
	case schemav1.SchemaType_SCHEMA_TYPE_ARRAY:
		if err := at(path, want[*structpb.Value_ListValue](value, "an array")); err != nil {
			return err
		}
		for i, element := range value.GetListValue().GetValues() {
			if err := conform(schema.GetItems(), element, fmt.Sprintf("%s[%d]", path, i)); err != nil {
				return err
			}
		}
		return nil
	case schemav1.SchemaType_SCHEMA_TYPE_STRING:
		if err := at(path, want[*structpb.Value_StringValue](value, "a string")); err != nil {
			return err
		}
		allowed := schema.GetEnumValues()
		if len(allowed) > 0 && !slices.Contains(allowed, value.GetStringValue()) {
			return fmt.Errorf("%s must be one of %q, not %q", path, allowed, value.GetStringValue())
		}
		return nil
	case schemav1.SchemaType_SCHEMA_TYPE_NUMBER:
		return at(path, want[*structpb.Value_NumberValue](value, "a number"))
	case schemav1.SchemaType_SCHEMA_TYPE_BOOLEAN:
		return at(path, want[*structpb.Value_BoolValue](value, "true or false"))
	default:
		return fmt.Errorf("%s has no type in the schema", path)
	}
}

func conformObject(schema *schemav1.Schema, object *structpb.Struct, path string) error {
	if object == nil {
		return fmt.Errorf("%s must be an object", path)
	}
	for _, name := range schema.GetRequired() {
		if _, ok := object.GetFields()[name]; !ok {
			return fmt.Errorf("%s.%s is required", path, name)
		}
	}
	for name, property := range schema.GetProperties() {
		value, ok := object.GetFields()[name]
		if !ok {
			continue
		}
		if err := conform(property, value, path+"."+name); err != nil {
			return err
		}
	}
	return nil
}

func at(path string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s %w", path, err)
}
