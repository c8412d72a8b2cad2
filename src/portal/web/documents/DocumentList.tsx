import { Download } from 'lucide-react'
import { useId, useRef, useState } from 'react'
import { cn } from '../../../ui/cn.ts'
import { useClock } from '../../../ui/client/session.ts'
import { Checkbox } from '../../../ui/controls/Checkbox.tsx'
import { today } from '../../../ui/format.ts'
import { toast } from '../../../ui/overlays/toast.ts'
import { isSessionOver, type DocumentData } from '../calls.ts'
import { DocumentRow } from './DocumentRow.tsx'
import { Card, ErrorLine, PortalButton, sectionTitle } from '../../../ui/patient/parts.tsx'
import { pickZip } from './save.ts'
import { zipName } from './labels.ts'
import { useTexts } from '../../../ui/patient/language.ts'
import { type DocumentProblem, documentTexts } from './texts.ts'

interface DocumentListProps {
  documents: readonly DocumentData[]
  fileOf: (document: DocumentData) => Promise<Blob>
  error: DocumentProblem | null
  onError: (error: DocumentProblem | null) => void
  onView: (document: DocumentData) => void
  onDownload: (document: DocumentData) => Promise<void>
  /** Reloads the list. */
  onCheck: () => Promise<void>
}

export function DocumentList({ documents, fileOf, error, onError, onView, onDownload, onCheck }: DocumentListProps) {
  const [selectedIds, setSelectedIds] = useState<ReadonlySet<string>>(new Set())
  const [zipping, setZipping] = useState(false)
  const clock = useClock()
  const t = useTexts(documentTexts)
  const allId = useId()
  const heading = useRef<HTMLHeadingElement>(null)
  const openable = documents.filter(({ signedUrl }) => signedUrl !== null)
  const selected = openable.filter(({ id }) => selectedIds.has(id))
  const hasAll = selected.length > 0 && selected.length === openable.length

  function toggle(id: string) {
    const next = new Set(selectedIds)
    if (!next.delete(id)) next.add(id)
    setSelectedIds(next)
  }

  async function downloadSelected() {
    const name = zipName(today(clock))
    onError(null)
    setZipping(true)
    try {
      const target = await pickZip(name)
      if (target === 'cancelled') return
      const { saveZip } = await import('./zip.ts')
      const missing = await saveZip({ documents: selected, name, target, fileOf })
      setSelectedIds(new Set())
      // The button is gone.
      heading.current?.focus({ preventScroll: true })
      if (missing.length > 0) toast.error(t('zipMissing'), missing.join(', '))
    } catch (refused) {
      if (!isSessionOver(refused)) onError('zip')
    } finally {
      setZipping(false)
    }
  }

  return (
    <Card aria-labelledby="your-documents">
      <h2 ref={heading} tabIndex={-1} id="your-documents" className={cn(sectionTitle, 'outline-none')}>
        {t('title')}
      </h2>
      {error && <ErrorLine className="pt-4">{t(`problems.${error}`)}</ErrorLine>}
      {documents.length === 0 ? (
        <p className="pt-3 text-portal text-fg-2">{t('none')}</p>
      ) : (
        <>
          {openable.length > 1 && (
            <label htmlFor={allId} className="mt-3 flex h-12 items-center gap-3 text-portal select-none">
              <Checkbox
                id={allId}
                large
                checked={hasAll ? true : selected.length > 0 && 'indeterminate'}
                onCheckedChange={() => setSelectedIds(new Set(hasAll ? [] : openable.map(({ id }) => id)))}
                disabled={zipping}
              />
              {t('selectAll')}
            </label>
          )}
          {/* What has the focus never hides under the bar below. */}
          <ul
            className={cn(
              '[&_*]:scroll-mb-24 [&>li]:border-t [&>li]:border-line [&>li:last-child]:pb-0',
              openable.length < 2 && '[&>li:first-child]:border-t-0',
            )}
          >
            {documents.map((document) => (
              <DocumentRow
                key={document.id}
                document={document}
                checked={selectedIds.has(document.id)}
                onToggle={() => toggle(document.id)}
                disabled={zipping}
                onView={() => onView(document)}
                onDownload={() => onDownload(document)}
                onCheck={onCheck}
              />
            ))}
          </ul>
          {selected.length > 0 && (
            <div className="sticky bottom-0 -mx-4 mt-5 -mb-4 rounded-b-xl border-t border-line bg-surface px-4 py-3 md:-mx-6 md:-mb-6 md:flex md:justify-end md:px-6">
              <PortalButton
                variant="filled"
                icon={<Download />}
                busy={zipping}
                busyLabel={t('zipping')}
                onClick={() => void downloadSelected()}
                className="max-md:w-full"
              >
                {t('downloadSelected', { total: selected.length })}
              </PortalButton>
            </div>
          )}
        </>
      )}
    </Card>
  )
}
