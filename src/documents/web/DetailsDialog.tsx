import { useState } from 'react'
import { Alert } from '../../ui/display/Alert.tsx'
import { Button } from '../../ui/controls/Button.tsx'
import { CheckboxLine } from '../../ui/controls/Checkbox.tsx'
import { ActionDialog } from '../../ui/forms/ActionDialog.tsx'
import { Field } from '../../ui/forms/Field.tsx'
import { useActionForm } from '../../ui/forms/useActionForm.ts'
import { Input } from '../../ui/controls/Input.tsx'
import { Select } from '../../ui/controls/Select.tsx'
import { Textarea } from '../../ui/controls/Textarea.tsx'
import { documentMessages } from '../contract.ts'
import type { DocumentType } from '../rules.ts'
import { changedFields, clashesOf } from './clashes.ts'
import type { DocumentData, DocumentFields } from './document-data.ts'
import type { DocumentActs } from './useDocumentChange.ts'
import { categoryOptions, formatField, partsOf } from './labels.ts'

const maxDescriptionLength = 1_000
const maxNameLength = 150

interface DetailsDialogProps {
  document: DocumentData
  change: DocumentActs['change']
  onClose: () => void
}

interface Typed {
  stem: string
  documentType: DocumentType
  description: string
  isShared: boolean
}

const typedOf = ({ name, documentType, description, isShared }: DocumentData): Typed => ({
  stem: partsOf(name).stem,
  documentType,
  description: description ?? '',
  isShared,
})

/** Name, category, description and who sees it. What someone else saves in the meantime is shown, and what is typed here stays. */
export default function DetailsDialog({ document, change, onClose }: DetailsDialogProps) {
  const [base, setBase] = useState(document)
  const [clashes, setClashes] = useState<readonly (keyof DocumentFields)[]>([])
  const { extension } = partsOf(base.name)
  const wantedOf = (typed: Typed): DocumentFields => ({
    name: `${typed.stem.trim()}${extension}`,
    documentType: typed.documentType,
    description: typed.description.trim() || null,
    isShared: typed.isShared,
  })
  const form = useActionForm({
    initial: () => typedOf(document),
    check: ({ stem }) => ({ stem: stem.trim() === '' ? documentMessages.name : undefined }),
    send(typed) {
      const wanted = wantedOf(typed)
      const ours = changedFields(base, wanted)
      const undo = Object.fromEntries(Object.keys(ours).map((field) => [field, base[field as keyof DocumentFields]]))
      return change(base, ours, { done: `${wanted.name} changed`, failed: 'The changes were not saved', undo })
    },
    onDone(outcome, typed) {
      if (outcome && 'saved' in outcome) onClose()
      else if (outcome) meet(outcome.theirs, changedFields(base, wantedOf(typed)))
    },
  })

  /** Goes on from their version: what both have changed is shown, the rest of theirs is taken over. */
  function meet(theirs: DocumentData, ours: Partial<DocumentFields>) {
    setClashes(clashesOf(base, theirs, ours))
    form.rebase(typedOf(theirs))
    setBase(theirs)
  }

  return (
    <ActionDialog title="Document details" form={form} action={{ label: 'Save', busyLabel: 'Saving…' }} onClose={onClose}>
      {clashes.length > 0 && (
        <Alert
          tone="warning"
          title="Someone else has changed this in the meantime."
          action={
            <Button
              size="sm"
              onClick={() => {
                form.rebase(typedOf(base), [])
                setClashes([])
              }}
            >
              Take theirs
            </Button>
          }
        >
          <span className="wrap-anywhere">{clashes.map((field) => formatField(field, base)).join('. ')}.</span> Nothing was overwritten;
          saving again keeps yours.
        </Alert>
      )}
      <Field label="Name" error={form.problems.stem}>
        <Input {...form.text('stem')} maxLength={maxNameLength - extension.length} trailing={extension || undefined} autoComplete="off" />
      </Field>
      <Field label="Category">
        <Select {...form.choice('documentType')} options={categoryOptions(base.documentType)} />
      </Field>
      <Field label="Description" optional>
        <Textarea {...form.text('description')} maxLength={maxDescriptionLength} />
      </Field>
      <CheckboxLine {...form.tick('isShared')} hint="The patient sees it in the portal and can download it.">
        Shared with the patient
      </CheckboxLine>
    </ActionDialog>
  )
}
