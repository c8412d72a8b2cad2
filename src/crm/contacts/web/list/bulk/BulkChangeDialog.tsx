import { useQuery } from '@tanstack/react-query'
import { messageOf, orpc } from '../../../../../ui/client/api.ts'
import { ConfirmDialog } from '../../../../../ui/overlays/ConfirmDialog.tsx'
import { filtersOf, type ListSearch } from '../../embed/list-search.ts'
import { actionOf, patients } from './bulk-labels.ts'
import type { WantedChange } from './useBulkChange.ts'

interface ChangeManyDialogProps {
  change: WantedChange
  count: number
  /** Set when all matches of these filters are selected and `count` is a lower bound: the exact number is fetched first. */
  uncounted: ListSearch | null
  onChange: (wanted: WantedChange) => void
  onClose: () => void
}

/** Asks for confirmation with the number of patients, before a change of many. */
export default function BulkChangeDialog({ change, count: known, uncounted, onChange, onClose }: ChangeManyDialogProps) {
  const counted = useQuery(
    orpc.contacts.count.queryOptions({ input: filtersOf(uncounted ?? {}), enabled: uncounted !== null, staleTime: 0 }),
  )
  const count = uncounted ? counted.data?.total : known
  const action = actionOf(change, count === undefined ? 'patients' : patients(count))
  return (
    <ConfirmDialog
      onClose={onClose}
      title={`${action}?`}
      action={{ label: action, isUnready: count === undefined }}
      onConfirm={() => {
        onClose()
        onChange(change)
      }}
    >
      {counted.error ? (
        <p role="alert" className="text-danger-fg">
          Couldn’t count the patients. {messageOf(counted.error)}
        </p>
      ) : (
        <p>You can stop it while it runs, and undo it afterwards.</p>
      )}
    </ConfirmDialog>
  )
}
