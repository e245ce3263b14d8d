package conformanceplugin

import (
	"fmt"
	"math"
	"slices"

	"google.golang.org/protobuf/types/known/structpb"

	schemav1 "github.com/pluggableharness/plugin-tools/interop/go/gen/pluggableharness/schema/v1"
)

// checkArguments says what keeps a call's arguments from fitting, naming the field; nil where they fit. Strict on
// types, required properties and enums; lenient on what it does not know.
func checkArguments(schema *schemav1.Schema, arguments *structpb.Struct) error {
	return checkObject(schema, arguments, "")
}

func checkObject(schema *schemav1.Schema, value *structpb.Struct, where string) error {
	for _, name := range schema.GetRequired() {
		if value.GetFields()[name] == nil {
			return invalid("%s%s: it is required", where, name)
		}
	}
	for name, property := range schema.GetProperties() {
		if field := value.GetFields()[name]; field != nil {
			if err := checkValue(property, field, where+name); err != nil {
				return err
			}
		}
	}
	return nil
}

func checkValue(schema *schemav1.Schema, value *structpb.Value, where string) error {
	switch kind := value.GetKind().(type) {
	case *structpb.Value_StringValue:
		if schema.GetType() != schemav1.SchemaType_SCHEMA_TYPE_STRING {
			break
		}
		if allowed := schema.GetEnumValues(); len(allowed) > 0 && !slices.Contains(allowed, kind.StringValue) {
			return invalid("%s: expected one of %q", where, allowed)
		}
		return nil
	case *structpb.Value_NumberValue:
		if schema.GetType() == schemav1.SchemaType_SCHEMA_TYPE_NUMBER {
			return nil
		}
	case *structpb.Value_BoolValue:
		if schema.GetType() == schemav1.SchemaType_SCHEMA_TYPE_BOOLEAN {
			return nil
		}
	case *structpb.Value_StructValue:
		if schema.GetType() == schemav1.SchemaType_SCHEMA_TYPE_OBJECT {
			return checkObject(schema, kind.StructValue, where+".")
		}
	case *structpb.Value_ListValue:
		if schema.GetType() != schemav1.SchemaType_SCHEMA_TYPE_ARRAY {
			break
		}
		for index, item := range kind.ListValue.GetValues() {
			if err := checkValue(schema.GetItems(), item, fmt.Sprintf("%s[%d]", where, index)); err != nil {
				return err
			}
		}
		return nil
	}
	return invalid("%s: expected %s", where, typeNames[schema.GetType()])
}

var typeNames = map[schemav1.SchemaType]string{
	schemav1.SchemaType_SCHEMA_TYPE_OBJECT:  "an object",
	schemav1.SchemaType_SCHEMA_TYPE_STRING:  "a string",
	schemav1.SchemaType_SCHEMA_TYPE_NUMBER:  "a number",
	schemav1.SchemaType_SCHEMA_TYPE_BOOLEAN: "a boolean",
	schemav1.SchemaType_SCHEMA_TYPE_ARRAY:   "a list",
}

// wholeNumber is what the schema cannot say: a number that counts, within reason.
func wholeNumber(arguments *structpb.Struct, name string) (int, error) {
	value := arguments.GetFields()[name].GetNumberValue()
	if value < 0 || value > math.MaxInt32 || value != math.Trunc(value) {
		return 0, invalid("%s: expected a whole number from 0 to %d", name, math.MaxInt32)
	}
	return int(value), nil
}
