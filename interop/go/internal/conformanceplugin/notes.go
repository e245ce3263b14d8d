package conformanceplugin

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"syscall"

	toolv1 "github.com/pluggableharness/plugin-tools/interop/go/gen/pluggableharness/tool/v1"
)

func readNote(call *call) (payload, error) {
	path, err := placeOf(call)
	if err != nil {
		return nil, err
	}
	content, err := os.ReadFile(path)
	if err != nil {
		return nil, noteFailure(path, err)
	}
	return payload{"text": string(content)}, nil
}

func appendNote(call *call) (payload, error) {
	path, err := placeOf(call)
	if err != nil {
		return nil, err
	}
	if err := call.ctx.Err(); err != nil {
		return nil, err
	}
	// What a link says may have changed since placeOf looked, so a link is not followed here.
	file, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY|syscall.O_NOFOLLOW, 0o644)
	if err != nil {
		return nil, noteFailure(path, err)
	}
	defer file.Close()
	if _, err := file.WriteString(call.arguments.GetFields()["text"].GetStringValue()); err != nil {
		return nil, err
	}
	info, err := file.Stat()
	if err != nil {
		return nil, err
	}
	if call.ctx.Err() != nil {
		call.report(fmt.Sprintf("cancelled, but the text had been appended to %s\n", path))
	}
	return payload{"path": path, "size_bytes": float64(info.Size())}, file.Close()
}

func noteFailure(path string, err error) error {
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return failed(toolv1.ToolErrorCategory_TOOL_ERROR_CATEGORY_NOT_FOUND, "path: there is no %s", path)
	case errors.Is(err, fs.ErrPermission):
		return failed(toolv1.ToolErrorCategory_TOOL_ERROR_CATEGORY_PERMISSION_DENIED, "path: %s may not be opened", path)
	}
	return err
}

func isLink(path string) bool {
	info, err := os.Lstat(path)
	return err == nil && info.Mode()&fs.ModeSymlink != 0
}
