import { useState } from 'react'
import { Alert } from '../../ui/Alert.tsx'
import { Button } from '../../ui/Button.tsx'
import { CheckboxLine } from '../../ui/Checkbox.tsx'
import { Dialog, DialogBody, DialogFooter, dialogForm } from '../../ui/Dialog.tsx'
import { Field } from '../../ui/Field.tsx'
import { Input } from '../../ui/Input.tsx'
import { Select } from '../../ui/Select.tsx'
import { Textarea } from '../../ui/Textarea.tsx'
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
  const [typed, setTyped] = useState(() => typedOf(document))
  const [clashes, setClashes] = useState<readonly (keyof DocumentFields)[]>([])
  const [asked, setAsked] = useState(false)
  const [busy, setBusy] = useState(false)
  const { extension } = partsOf(base.name)
  const set = (part: Partial<Typed>) => setTyped({ ...typed, ...part })
  const unnamed = asked && typed.stem.trim() === ''
  const wanted: DocumentFields = {
    name: `${typed.stem.trim()}${extension}`,
    documentType: typed.documentType,
    description: typed.description.trim() || null,
    isShared: typed.isShared,
  }

  async function save() {
    setAsked(true)
    if (typed.stem.trim() === '' || busy) return
    setBusy(true)
    const ours = changedFields(base, wanted)
    const undo = Object.fromEntries(Object.keys(ours).map((field) => [field, base[field as keyof DocumentFields]]))
    const outcome = await change(base, ours, { done: `${wanted.name} changed`, failed: 'The changes were not saved', undo })
    setBusy(false)
    if (outcome && 'saved' in outcome) onClose()
    else if (outcome) meet(outcome.theirs, ours)
  }

  /** Goes on from their version: what both have changed is shown, the rest of theirs is taken over. */
  function meet(theirs: DocumentData, ours: DocumentFields) {
    setClashes(clashesOf(base, theirs, ours))
    setTyped({ ...typedOf({ ...theirs, ...ours }) })
    setBase(theirs)
  }

  return (
    <Dialog open onOpenChange={onClose} title="Document details" dismissible={!busy}>
      <form
        className={dialogForm}
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          event.stopPropagation()
          void save()
        }}
      >
        <DialogBody className="flex flex-col gap-5">
          {clashes.length > 0 && (
            <Alert
              tone="warning"
              title="Someone else has changed this in the meantime."
              action={
                <Button
                  size="sm"
                  onClick={() => {
                    setTyped(typedOf(base))
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
          <Field label="Name" error={unnamed ? documentMessages.name : undefined}>
            <Input
              value={typed.stem}
              maxLength={maxNameLength - extension.length}
              trailing={extension || undefined}
              autoComplete="off"
              onChange={(event) => set({ stem: event.target.value })}
            />
          </Field>
          <Field label="Category">
            <Select
              value={typed.documentType}
              options={categoryOptions(base.documentType)}
              onValueChange={(value) => value && set({ documentType: value })}
            />
          </Field>
          <Field label="Description" optional>
            <Textarea
              value={typed.description}
              maxLength={maxDescriptionLength}
              onChange={(event) => set({ description: event.target.value })}
            />
          </Field>
          <CheckboxLine
            checked={typed.isShared}
            onCheckedChange={(isShared) => set({ isShared })}
            hint="The patient sees it in the portal and can download it."
          >
            Shared with the patient
          </CheckboxLine>
        </DialogBody>
        <DialogFooter>
          <Button size="lg" disabled={busy} onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" size="lg" variant="filled" busy={busy} busyLabel="Saving…">
            Save
          </Button>
        </DialogFooter>
      </form>
    </Dialog>
  )
}
