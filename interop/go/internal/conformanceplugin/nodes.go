package conformanceplugin

import (
	renderv1 "github.com/pluggableharness/plugin-tools/interop/go/gen/pluggableharness/render/v1"
)

func textNode(content string) *renderv1.RenderNode {
	return &renderv1.RenderNode{Node: &renderv1.RenderNode_Text{Text: &renderv1.TextNode{Content: content}}}
}

func errorNode(content string) *renderv1.RenderNode {
	style := renderv1.TextStyle_TEXT_STYLE_ERROR
	return &renderv1.RenderNode{Node: &renderv1.RenderNode_Text{Text: &renderv1.TextNode{Content: content, Style: &style}}}
}

func code(language, content string) *renderv1.RenderNode {
	block := &renderv1.CodeBlockNode{Content: content}
	if language != "" {
		block.Language = &language
	}
	return &renderv1.RenderNode{Node: &renderv1.RenderNode_CodeBlock{CodeBlock: block}}
}

func group(children ...*renderv1.RenderNode) *renderv1.RenderNode {
	return &renderv1.RenderNode{Node: &renderv1.RenderNode_Group{Group: &renderv1.GroupNode{Children: children}}}
}
