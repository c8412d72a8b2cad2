import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Upload } from 'lucide-react'
import { useRef, useState } from 'react'
import { orpc } from '../../../ui/client/api.ts'
import { useClock } from '../../../ui/client/session.ts'
import { Button } from '../../../ui/controls/Button.tsx'
import { Select } from '../../../ui/controls/Select.tsx'
import { formatDate } from '../../../ui/format.ts'
import { Field } from '../../../ui/forms/Field.tsx'
import type { DocumentType } from '../../rules.ts'
import { acceptedExtensions, checkFile } from '../uploads/check-file.ts'
import { sendFile } from '../uploads/send-file.ts'

interface DocumentPickerProps {
  label: string
  contactId: string
  /** The category of a file that is uploaded here. */
  type: DocumentType
  value: string | null
  onChange: (documentId: string | null) => void
  error: string | undefined
}

/** Chooses one of the patient's documents, or uploads one. */
export function DocumentPicker({ label, contactId, type, value, onChange, error }: DocumentPickerProps) {
  const { timeZone } = useClock()
  const cache = useQueryClient()
  const input = useRef<HTMLInputElement>(null)
  const [part, setPart] = useState<number | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const list = useQuery(orpc.documents.list.queryOptions({ input: { contactId } }))
  async function upload(file: File | undefined) {
    if (!file) return
    const refused = checkFile(file)
    setProblem(refused)
    if (refused) return
    setPart(0)
    try {
      const { id } = (await sendFile(file, { contactId, type, share: false }, setPart, new AbortController().signal)) as { id: string }
      await cache.invalidateQueries({ queryKey: orpc.documents.list.key({ input: { contactId } }) })
      onChange(id)
    } catch (failed) {
      setProblem(failed instanceof Error ? failed.message : 'Something went wrong. Please try again.')
    }
    setPart(null)
  }
  return (
    <Field label={label} error={problem ?? error ?? (list.error ? 'Couldn’t load the documents of the patient' : undefined)}>
      <div className="flex gap-2 max-md:flex-col">
        <Select
          className="min-w-0 md:flex-1"
          value={value}
          onValueChange={onChange}
          placeholder={list.data?.length === 0 ? 'No documents yet' : undefined}
          options={(list.data ?? []).map(({ id, name, createdAt }) => ({
            value: id,
            label: `${name}, ${formatDate(createdAt, timeZone)}`,
          }))}
        />
        <Button
          icon={<Upload />}
          className="flex-none md:h-9"
          busy={part !== null}
          busyLabel={`Uploading… ${Math.round((part ?? 0) * 100)}%`}
          onClick={() => input.current?.click()}
        >
          Upload scan
        </Button>
        <input
          ref={input}
          type="file"
          accept={acceptedExtensions}
          aria-label="File of the scan"
          tabIndex={-1}
          className="sr-only"
          onChange={({ target }) => {
            void upload(target.files?.[0])
            target.value = ''
          }}
        />
      </div>
    </Field>
  )
}
