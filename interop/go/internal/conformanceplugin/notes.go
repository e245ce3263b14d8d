package conformanceplugin

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"syscall"
	"unicode/utf8"

	toolv1 "github.com/pluggableharness/plugin-tools/interop/go/gen/pluggableharness/tool/v1"
)

const largestNoteBytes = 8 << 20

func readNote(call *call) (payload, error) {
	path, err := placeOf(call)
	if err != nil {
		return nil, err
	}
	file, err := openNote(path, os.O_RDONLY)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	content, err := io.ReadAll(io.LimitReader(file, largestNoteBytes+1))
	if err != nil {
		return nil, err
	}
	if len(content) > largestNoteBytes {
		return nil, failed(toolv1.ToolErrorCategory_TOOL_ERROR_CATEGORY_EXECUTION_FAILED,
			"path: %s is larger than %d bytes", path, largestNoteBytes)
	}
	if !utf8.Valid(content) {
		return nil, failed(toolv1.ToolErrorCategory_TOOL_ERROR_CATEGORY_EXECUTION_FAILED, "path: %s is not UTF-8 text", path)
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
	file, err := openNote(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY)
	if err != nil {
		return nil, err
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

// openNote follows no link that came after placeOf had looked, and waits for no pipe's other end.
func openNote(path string, flags int) (*os.File, error) {
	file, err := os.OpenFile(path, flags|syscall.O_NOFOLLOW|syscall.O_NONBLOCK, 0o644)
	if err != nil {
		return nil, noteFailure(path, err)
	}
	info, err := file.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = invalid("path: %s is not a regular file", path)
	}
	if err != nil {
		file.Close()
		return nil, err
	}
	return file, nil
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
