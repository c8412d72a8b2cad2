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
import { changedFields, clashesOf } from './conflicts.ts'
import type { DocumentData, DocumentFields } from './document-data.ts'
import type { DocumentActions } from './useDocumentActions.ts'
import { categoryOptions, formatField, splitName } from './labels.ts'

const maxDescriptionLength = 1_000
const maxNameLength = 150

interface DetailsDialogProps {
  document: DocumentData
  change: DocumentActions['change']
  onClose: () => void
}

interface FormValues {
  stem: string
  documentType: DocumentType
  description: string
  isShared: boolean
}

const toFormValues = ({ name, documentType, description, isShared }: DocumentData): FormValues => ({
  stem: splitName(name).stem,
  documentType,
  description: description ?? '',
  isShared,
})

/** Edits name, category, description and sharing. If someone else saves first, their changes are shown and the user's input is kept. */
export default function DetailsDialog({ document, change, onClose }: DetailsDialogProps) {
  const [base, setBase] = useState(document)
  const [clashes, setClashes] = useState<readonly (keyof DocumentFields)[]>([])
  const { extension } = splitName(base.name)
  const toFields = (values: FormValues): DocumentFields => ({
    name: `${values.stem.trim()}${extension}`,
    documentType: values.documentType,
    description: values.description.trim() || null,
    isShared: values.isShared,
  })
  const form = useActionForm({
    initial: () => toFormValues(document),
    check: ({ stem }) => ({ stem: stem.trim() === '' ? documentMessages.name : undefined }),
    send(values) {
      const wanted = toFields(values)
      const own = changedFields(base, wanted)
      const undo = Object.fromEntries(Object.keys(own).map((field) => [field, base[field as keyof DocumentFields]]))
      return change(base, own, { done: `${wanted.name} changed`, failed: 'The changes were not saved', undo })
    },
    onDone(outcome, values) {
      if (outcome && 'saved' in outcome) onClose()
      else if (outcome) rebaseOn(outcome.theirs, changedFields(base, toFields(values)))
    },
  })

  /** Continues from the other version: conflicting fields are shown, and the rest of the other changes are applied. */
  function rebaseOn(theirs: DocumentData, own: Partial<DocumentFields>) {
    setClashes(clashesOf(base, theirs, own))
    form.rebase(toFormValues(theirs))
    setBase(theirs)
  }

  return (
    <ActionDialog title="Document details" form={form} action={{ label: 'Save', busyLabel: 'Saving…' }} onClose={onClose}>
      {clashes.length > 0 && (
        <Alert
          tone="warning"
          title="Someone else has changed this document."
          action={
            <Button
              size="sm"
              onClick={() => {
                form.rebase(toFormValues(base), [])
                setClashes([])
              }}
            >
              Use their changes
            </Button>
          }
        >
          <span className="wrap-anywhere">{clashes.map((field) => formatField(field, base)).join('. ')}.</span> Nothing was overwritten.
          Save again to keep your changes.
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
      <CheckboxLine {...form.tick('isShared')} hint="The patient can view and download it in the portal.">
        Shared with the patient
      </CheckboxLine>
    </ActionDialog>
  )
}
