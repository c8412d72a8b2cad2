import { FileText, FileType, Image, type LucideIcon } from 'lucide-react'
import { type FileKind, fileKinds } from '../rules.ts'

const icons: Record<(typeof fileKinds)[FileKind]['name'], LucideIcon> = { PDF: FileText, Word: FileType, Photo: Image, Image }

/** The icon of a file kind; hidden from screen readers because the text next to it says the same. */
export function KindIcon({ kind }: { kind: FileKind }) {
  const Icon = icons[fileKinds[kind].name]
  return (
    <span aria-hidden="true" className="flex size-9 flex-none items-center justify-center rounded-md bg-active/70 text-fg-2">
      <Icon />
    </span>
  )
}
