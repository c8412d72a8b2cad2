import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type Client, messageOf, orpc } from '../../../../ui/client/api.ts'
import { saveFile } from '../../../../ui/client/save-file.ts'
import { Alert } from '../../../../ui/display/Alert.tsx'
import { Button } from '../../../../ui/controls/Button.tsx'
import { Dialog, DialogBody, DialogFooter } from '../../../../ui/overlays/Dialog.tsx'
import { ErrorState } from '../../../../ui/display/EmptyState.tsx'
import { formatCount, formatFileSize } from '../../../../ui/format.ts'
import { Skeleton } from '../../../../ui/display/Skeleton.tsx'
import { toast } from '../../../../ui/overlays/toast.ts'
import { recordParts } from '../../../../kernel/patient-tables/rules.ts'

interface ExportRecordDialogProps {
  contact: { id: string; firstName: string; lastName: string }
  onClose: () => void
  /** Moves the focus when the dialog closes; the menu that opened it is gone by then. */
  returnFocus: (event: Event) => void
}

/** Shows what a patient's export contains and downloads it. */
export default function ExportRecordDialog({ contact, onClose, returnFocus }: ExportRecordDialogProps) {
  const name = `${contact.firstName} ${contact.lastName}`
  const outline = useQuery(orpc.wholeRecords.outline.queryOptions({ input: { contactId: contact.id }, staleTime: 0, gcTime: 0 }))
  const [isBusy, setBusy] = useState(false)

  async function save() {
    setBusy(true)
    const isSaving = await saveFile(`/api/contacts/${contact.id}/whole-record.zip`)
    setBusy(false)
    if (!isSaving) return
    toast.success('Your browser is saving the file')
    onClose()
  }

  return (
    <Dialog
      onClose={onClose}
      onCloseAutoFocus={returnFocus}
      title="Export patient record"
      description={`Everything on file for ${name} as one zip file, for a patient who requests their record.`}
      dismissible={!isBusy}
    >
      <DialogBody className="flex flex-col gap-4">
        {outline.data ? (
          <Outline outline={outline.data} />
        ) : outline.error ? (
          <ErrorState title="Couldn’t load the contents" onRetry={() => void outline.refetch()} retrying={outline.isFetching}>
            {messageOf(outline.error)}
          </ErrorState>
        ) : (
          <div role="status" aria-label="Loading" className="flex min-h-60 flex-col gap-6 py-3">
            {['w-2/5', 'w-1/3', 'w-1/2', 'w-1/4', 'w-3/5'].map((width) => (
              <Skeleton key={width} className={width} />
            ))}
          </div>
        )}
        <p className="text-sm text-fg-2">
          Review it before you share it: staff notes may name other people. The export is recorded in the audit log.
        </p>
      </DialogBody>
      <DialogFooter>
        <Button size="lg" disabled={isBusy} onClick={onClose}>
          Cancel
        </Button>
        <Button
          size="lg"
          variant="filled"
          data-autofocus
          busy={isBusy}
          busyLabel="Exporting…"
          disabled={outline.isError}
          onClick={() => void save()}
        >
          Export patient record
        </Button>
      </DialogFooter>
    </Dialog>
  )
}

type OutlineData = Awaited<ReturnType<Client['wholeRecords']['outline']>>

function Outline({ outline: { parts, files, pdfs } }: { outline: OutlineData }) {
  const { count, bytes, withheld } = files
  return (
    <>
      <dl aria-label="Export contents" className="text-sm">
        <Line label="Documents, as files" note={count > 0 ? formatFileSize(bytes) : null} count={count} />
        <Line label="Receipts, quotes and statement, as PDF" count={pdfs} />
        {parts.map((part) => (
          <Line key={part.part} label={recordParts[part.part]} count={part.count} />
        ))}
        <Line label="Contact details, history and everything else on file" />
      </dl>
      {withheld > 0 && (
        <Alert tone="warning" title={withheld === 1 ? '1 document is left out.' : `${formatCount(withheld)} documents are left out.`}>
          The virus scanner has not cleared {withheld === 1 ? 'it' : 'them'}. The export lists {withheld === 1 ? 'it' : 'them'} by name.
        </Alert>
      )}
    </>
  )
}

function Line({ label, note = null, count }: { label: string; note?: string | null; count?: number }) {
  return (
    <div className="flex items-baseline gap-4 border-b border-line py-2 first:pt-0">
      <dt className="min-w-0 flex-1 text-fg">
        {label}
        {note && <span className="text-fg-3"> {note}</span>}
      </dt>
      <dd className="flex-none tabular-nums text-fg">{count === undefined ? 'Included' : count === 0 ? 'None' : formatCount(count)}</dd>
    </div>
  )
}
