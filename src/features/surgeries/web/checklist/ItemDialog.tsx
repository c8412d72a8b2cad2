import { type ReactNode, useRef, useState } from 'react'
import { Alert } from '../../../../web/ui/Alert.tsx'
import { Button } from '../../../../web/ui/Button.tsx'
import { Dialog, DialogBody, DialogFooter, dialogForm } from '../../../../web/ui/Dialog.tsx'
import { refusalOf } from '../refusals.ts'
import { ItemFields } from './ItemFields.tsx'
import { type ItemProblems, itemProblems, type ItemValues, sentItem } from './item-values.ts'

interface ItemDialogProps {
  title: string
  deed: string
  busyLabel: string
  initial: ItemValues
  /** Throws what was refused. */
  onSave: (item: ReturnType<typeof sentItem>) => Promise<void>
  onClose: () => void
  /** Fields before the item's own. */
  before?: ReactNode
  /** At the left of the footer. */
  extra?: ReactNode
}

/** The dialog for an item of a checklist, of a case or of a template. */
export function ItemDialog({ title, deed, busyLabel, initial, onSave, onClose, before, extra }: ItemDialogProps) {
  const form = useRef<HTMLFormElement>(null)
  const [values, setValues] = useState(initial)
  const [isTried, setTried] = useState(false)
  const [refused, setRefused] = useState<ItemProblems>({})
  const [isBusy, setBusy] = useState(false)
  const wrong = itemProblems(values)
  const problems = isTried ? { ...wrong, ...refused } : {}
  const focusFirstProblem = () => requestAnimationFrame(() => form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus())

  async function submit() {
    setTried(true)
    setRefused({})
    if (Object.keys(wrong).length > 0) focusFirstProblem()
    if (Object.keys(wrong).length > 0 || isBusy) return
    setBusy(true)
    try {
      await onSave(sentItem(values))
      onClose()
    } catch (error) {
      const refusal = refusalOf(error)
      setBusy(false)
      const words = refusal.kind === 'fields' ? Object.values(refusal.fields).join('. ') : ''
      setRefused({ form: refusal.kind === 'message' ? refusal.message : words })
      focusFirstProblem()
    }
  }

  return (
    <Dialog open onOpenChange={onClose} title={title} dismissible={!isBusy}>
      <form
        ref={form}
        noValidate
        className={dialogForm}
        onSubmit={(event) => {
          event.preventDefault()
          event.stopPropagation()
          void submit()
        }}
      >
        <DialogBody className="flex flex-col gap-4">
          {problems.form && <Alert tone="danger">{problems.form}</Alert>}
          {before}
          <ItemFields
            values={values}
            problems={problems}
            onChange={(next) => {
              setValues(next)
              setRefused({})
            }}
          />
        </DialogBody>
        <DialogFooter>
          {extra}
          <Button size="lg" disabled={isBusy} onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" size="lg" variant="filled" busy={isBusy} busyLabel={busyLabel}>
            {deed}
          </Button>
        </DialogFooter>
      </form>
    </Dialog>
  )
}
