import { Skeleton } from '../display/Skeleton.tsx'
import { lazySection } from '../lazy-section.tsx'

/** A field for formatted text. Its code is loaded when one is shown. */
export const RichTextField = lazySection(
  async () => (await import('./RichTextEditor.tsx')).RichTextEditor,
  <div role="status" aria-label="Loading" className="flex min-h-29 flex-col gap-4 px-4 py-3">
    <Skeleton className="w-2/3" />
    <Skeleton className="w-1/3" />
  </div>,
)

/** Formatted text, to read. */
export const RichTextView = lazySection(async () => (await import('./RichTextEditor.tsx')).ReadRichText, <Skeleton className="w-1/3" />)
