import { lazySection } from '../lazy-section.tsx'

/** A field for formatted text. Its code is loaded when one is shown. */
export const RichTextField = lazySection(async () => (await import('./RichTextEditor.tsx')).RichTextEditor)

/** Formatted text, to read. */
export const RichTextView = lazySection(async () => (await import('./RichTextEditor.tsx')).ReadRichText)
