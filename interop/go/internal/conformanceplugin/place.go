package conformanceplugin

import (
	"errors"
	"io/fs"
	"path/filepath"
	"strings"

	toolv1 "github.com/pluggableharness/plugin-tools/interop/go/gen/pluggableharness/tool/v1"
)

// placeOf is the absolute path of a call's note. It must be inside the root, by its spelling and with every
// symbolic link followed.
func placeOf(call *call) (string, error) {
	path := call.arguments.GetFields()["path"].GetStringValue()
	if path == "" || strings.ContainsRune(path, 0) {
		return "", invalid("path: expected the path of a note")
	}
	if !filepath.IsAbs(path) {
		if !filepath.IsAbs(call.workingDirectory) {
			return "", invalid("path: it is relative, and the call has no working directory")
		}
		path = filepath.Join(call.workingDirectory, path)
	}
	path = filepath.Clean(path)
	real, err := realPath(path)
	if err != nil {
		return "", err
	}
	if !isWithin(call.root, real) {
		return "", failed(toolv1.ToolErrorCategory_TOOL_ERROR_CATEGORY_PERMISSION_DENIED,
			"path: %s is outside the root %s", path, call.root)
	}
	return real, nil
}

// realPath follows the links of as much of a path as exists. A dangling link is refused: what it names could be
// anywhere by the time it is written to.
func realPath(path string) (string, error) {
	real, err := filepath.EvalSymlinks(path)
	if !errors.Is(err, fs.ErrNotExist) {
		return real, err
	}
	if isLink(path) {
		return "", failed(toolv1.ToolErrorCategory_TOOL_ERROR_CATEGORY_PERMISSION_DENIED, "path: %s is a link to nothing", path)
	}
	parent, err := realPath(filepath.Dir(path))
	if err != nil {
		return "", err
	}
	return filepath.Join(parent, filepath.Base(path)), nil
}

func isWithin(root, path string) bool {
	relative, err := filepath.Rel(root, path)
	return err == nil && filepath.IsLocal(relative)
}
