import { useQuery } from '@tanstack/react-query'
import { messageOf, orpc } from '../../../../../ui/client/api.ts'
import { CheckboxLine } from '../../../../../ui/controls/Checkbox.tsx'
import { ActionDialog } from '../../../../../ui/forms/ActionDialog.tsx'
import { Field } from '../../../../../ui/forms/Field.tsx'
import { useActionForm } from '../../../../../ui/forms/useActionForm.ts'
import { formatCount } from '../../../../../ui/format.ts'
import { Input } from '../../../../../ui/controls/Input.tsx'
import { filtersOf, type ListSearch } from '../../embed/list-search.ts'
import { patients } from './bulk-labels.ts'
import type { WantedChange } from './useBulkChange.ts'

interface DeleteManyDialogProps {
  count: number
  /** Set when all matches of these filters are selected and `count` is a lower bound: the exact number is fetched first. */
  uncounted: ListSearch | null
  onDelete: (wanted: WantedChange) => void
  onClose: () => void
}

/** Beyond this number, the user must type the number to confirm, so that it does not happen by accident. */
const maxWithoutTyping = 50

/** Asks for confirmation with the number of patients, and says how long the deletion can be undone. */
export default function BulkDeleteDialog({ count: known, uncounted, onDelete, onClose }: DeleteManyDialogProps) {
  const counted = useQuery(
    orpc.contacts.count.queryOptions({ input: filtersOf(uncounted ?? {}), enabled: uncounted !== null, staleTime: 0 }),
  )
  const count = uncounted ? counted.data?.total : known
  const asksForCount = count !== undefined && count > maxWithoutTyping

  const form = useActionForm({
    initial: { typed: '', forGood: false },
    check: ({ typed }) => ({
      typed: asksForCount && typed.replace(/\D/g, '') !== String(count) ? `Type ${formatCount(count)}` : undefined,
    }),
    async send({ forGood }) {
      onClose()
      onDelete({ kind: 'delete', forGood })
    },
  })

  return (
    <ActionDialog
      title={count === undefined ? 'Delete patients?' : `Delete ${patients(count)}?`}
      form={form}
      action={{
        label: count === undefined ? 'Delete patients' : `Delete ${patients(count)}`,
        isDanger: true,
        isUnready: count === undefined,
      }}
      onClose={onClose}
    >
      <div className="flex flex-col gap-5 text-md text-fg-2">
        <p>
          Each is deleted with everything in their record.{' '}
          {form.values.forGood ? 'This cannot be undone.' : 'You can undo this for 24 hours.'}
        </p>
        {uncounted && counted.error && (
          <p role="alert" className="text-danger-fg">
            Couldn’t count the patients. {messageOf(counted.error)}
          </p>
        )}
        {asksForCount && (
          <Field label={`Type ${formatCount(count)} to confirm`} error={form.problems.typed}>
            <Input {...form.text('typed')} inputMode="numeric" autoComplete="off" />
          </Field>
        )}
        <CheckboxLine {...form.tick('forGood')} hint="Keeps nothing. For patients who requested it.">
          Delete permanently
        </CheckboxLine>
      </div>
    </ActionDialog>
  )
}
