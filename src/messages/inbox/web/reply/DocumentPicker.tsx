import { Paperclip } from 'lucide-react'
import { messageOf } from '../../../../ui/client/api.ts'
import { IconButton } from '../../../../ui/controls/IconButton.tsx'
import { CheckboxLine } from '../../../../ui/controls/Checkbox.tsx'
import { ErrorState } from '../../../../ui/display/EmptyState.tsx'
import { formatFileSize } from '../../../../ui/format.ts'
import { Popover } from '../../../../ui/overlays/Popover.tsx'
import { Skeleton } from '../../../../ui/display/Skeleton.tsx'
import { useDocuments } from '../../../../documents/web/embed/useDocuments.ts'
import type { Draft } from './drafts.ts'

interface DocumentPickerProps {
  contactId: string
  chosen: Draft['documents']
  onChange: (documents: Draft['documents']) => void
}

/** The contract's limit. */
const most = 20

/** Selects the patient's documents to attach. */
export function DocumentPicker(props: DocumentPickerProps) {
  return (
    <Popover label="Attach documents" side="top" trigger={<IconButton label="Attach" icon={<Paperclip />} />} className="w-80">
      <Choice {...props} />
    </Popover>
  )
}

function Choice({ contactId, chosen, onChange }: DocumentPickerProps) {
  const { documents } = useDocuments(contactId)
  if (!documents.data) {
    return documents.error ? (
      <ErrorState
        title="Couldn’t load the documents"
        onRetry={() => void documents.refetch()}
        retrying={documents.isFetching}
        className="py-4"
      >
        {messageOf(documents.error)}
      </ErrorState>
    ) : (
      <div role="status" aria-label="Loading" className="flex flex-col gap-3 p-1">
        <Skeleton className="w-2/3" />
        <Skeleton className="w-1/2" />
      </div>
    )
  }
  const clean = documents.data.filter(({ scanState }) => scanState === 'clean' || scanState === 'off')
  if (clean.length === 0) return <p className="text-fg-2">The patient has no documents yet.</p>
  return (
    <ul aria-label="Documents of the patient" className="flex max-h-72 flex-col gap-1 overflow-y-auto">
      {clean.map(({ id, name, size }) => {
        const isOn = chosen.some((document) => document.id === id)
        return (
          <li key={id}>
            <CheckboxLine
              checked={isOn}
              disabled={!isOn && chosen.length >= most}
              hint={formatFileSize(size)}
              onCheckedChange={(checked) => onChange(checked ? [...chosen, { id, name }] : chosen.filter((document) => document.id !== id))}
            >
              {name}
            </CheckboxLine>
          </li>
        )
      })}
    </ul>
  )
}
