import type { ReactNode } from 'react'
import { cn } from '../../../../ui/cn.ts'

interface EditorColumnsProps {
  /** Not given while it is hidden. */
  preview: ReactNode
  children: ReactNode
}

/** The fields of an editor with the preview beside them, or in their place where there is no room for both. */
export function EditorColumns({ preview, children }: EditorColumnsProps) {
  return (
    <div className={preview ? 'grid gap-8 pt-4 xl:grid-cols-[minmax(0,1fr)_26rem]' : 'max-w-180 pt-4'}>
      <div className={cn('flex min-w-0 flex-col gap-6', preview && 'max-xl:hidden')}>{children}</div>
      {preview}
    </div>
  )
}

/** For the preview: below the header of the editor while the fields scroll. */
export const previewStyle = 'flex min-w-0 flex-col gap-3 xl:sticky xl:top-14 xl:max-h-[calc(100dvh-11.5rem)] xl:self-start'
