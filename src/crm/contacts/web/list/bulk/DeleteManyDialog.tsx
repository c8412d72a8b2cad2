import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { messageOf, orpc } from '../../../../../ui/client/api.ts'
import { Button } from '../../../../../ui/Button.tsx'
import { CheckboxLine } from '../../../../../ui/Checkbox.tsx'
import { Dialog, DialogBody, DialogFooter, dialogForm } from '../../../../../ui/Dialog.tsx'
import { Field } from '../../../../../ui/Field.tsx'
import { formatCount } from '../../../../../ui/format.ts'
import { Input } from '../../../../../ui/Input.tsx'
import { filtersOf, type ListSearch } from '../../embed/list-search.ts'
import { patients } from './bulk-labels.ts'
import type { WantedChange } from './useBulkChange.ts'

interface DeleteManyDialogProps {
  count: number
  /** All that these filters match, when there are at least `count` of them: how many exactly is asked for first. */
  uncounted: ListSearch | null
  onDelete: (wanted: WantedChange) => void
  onClose: () => void
}

/** Anyone who deletes more than so many types how many: it is not done by a slip. */
const maxWithoutTyping = 50

/** Names how many are deleted, and for how long that can be undone. */
export default function DeleteManyDialog({ count: known, uncounted, onDelete, onClose }: DeleteManyDialogProps) {
  const [typed, setTyped] = useState('')
  const [forGood, setForGood] = useState(false)
  const [wrong, setWrong] = useState(false)
  const counted = useQuery(
    orpc.contacts.count.queryOptions({ input: filtersOf(uncounted ?? {}), enabled: uncounted !== null, staleTime: 0 }),
  )
  const count = uncounted ? counted.data?.total : known
  const asksForCount = count !== undefined && count > maxWithoutTyping

  function confirm() {
    if (asksForCount && typed.replace(/\D/g, '') !== String(count)) return setWrong(true)
    onClose()
    onDelete({ kind: 'delete', forGood })
  }

  return (
    <Dialog open onOpenChange={onClose} title={count === undefined ? 'Delete patients?' : `Delete ${patients(count)}?`}>
      <form
        noValidate
        className={dialogForm}
        onSubmit={(event) => {
          event.preventDefault()
          event.stopPropagation()
          confirm()
        }}
      >
        <DialogBody className="flex flex-col gap-5 text-md text-fg-2">
          <p>Each is deleted with everything in their record. {forGood ? 'This cannot be undone.' : 'You can undo this for 24 hours.'}</p>
          {uncounted && counted.error && (
            <p role="alert" className="text-danger-fg">
              They could not be counted. {messageOf(counted.error)}
            </p>
          )}
          {asksForCount && (
            <Field label={`Type ${formatCount(count)} to confirm`} error={wrong ? `Type ${formatCount(count)}` : undefined}>
              <Input
                inputMode="numeric"
                autoComplete="off"
                value={typed}
                onChange={(event) => {
                  setTyped(event.target.value)
                  setWrong(false)
                }}
              />
            </Field>
          )}
          <CheckboxLine checked={forGood} onCheckedChange={setForGood} hint="Nothing is kept: for patients who asked for it.">
            Delete permanently
          </CheckboxLine>
        </DialogBody>
        <DialogFooter>
          <Button size="lg" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" size="lg" variant="danger-filled" disabled={count === undefined}>
            {count === undefined ? 'Delete patients' : `Delete ${patients(count)}`}
          </Button>
        </DialogFooter>
      </form>
    </Dialog>
  )
}
