import { Download, Trash2, X } from 'lucide-react'
import { useState } from 'react'
import { BulkAction, BulkBar, BulkLine } from '../../../../../ui/display/BulkBar.tsx'
import { formatCount } from '../../../../../ui/format.ts'
import { lazyDialog } from '../../../../../ui/overlays/lazy-dialog.tsx'
import { toast } from '../../../../../ui/overlays/toast.ts'
import { usePermission } from '../../../../../ui/client/usePermission.ts'
import type { Directory } from '../../embed/directory.ts'
import type { ColumnId } from '../columns/layout.ts'
import { filtersOf, type ListSearch } from '../../embed/list-search.ts'
import type { ListView } from '../rows/list-view.ts'
import { patients } from './bulk-labels.ts'
import { ChangeMenus } from './ChangeMenus.tsx'
import { saveSelection } from './save-selection.ts'
import { isEmptySelection } from './selection.ts'
import { useBulkChange, type WantedChange } from './useBulkChange.ts'
import type { BulkSelection } from './useSelection.ts'

const BulkChangeDialog = lazyDialog(
  () => import('./BulkChangeDialog.tsx'),
  ({ onClose }) => onClose(),
)
const BulkDeleteDialog = lazyDialog(
  () => import('./BulkDeleteDialog.tsx'),
  ({ onClose }) => onClose(),
)
const FollowUpDayDialog = lazyDialog(
  () => import('./FollowUpDayDialog.tsx'),
  ({ onClose }) => onClose(),
)

/** Beyond this number, a change needs confirmation: that many can't be reviewed, and colleagues may be working on some. */
const maxWithoutAsking = 200

interface SelectionBarProps {
  bulk: BulkSelection
  search: ListSearch
  /** The matches of the list's filters. */
  view: ListView
  /** Whether the whole page is selected and there are more matches. */
  offersAll: boolean
  /** The columns that the list shows. */
  shown: readonly ColumnId[]
  directory: Directory
  onClear: () => void
}

/** The actions for the selected patients; while a bulk change is running, its progress. */
export default function SelectionBar(props: SelectionBarProps) {
  const { bulk, search, view, offersAll, shown, directory, onClear } = props
  const { selection, menu, setMenu } = bulk
  const { total } = view
  const atLeast = !view.totalIsExact
  const { start, underWay, cancel } = useBulkChange()
  const may = usePermission()
  const [asks, setAsks] = useState<'day' | 'deletion' | WantedChange | null>(null)
  const [isSaving, setSaving] = useState(false)
  const count = selection.matching ? total : selection.ids.size

  if (underWay) {
    const isUndoing = underWay.status === 'undoing'
    const begun = isUndoing ? underWay.undone + underWay.kept : underWay.changed + underWay.unchanged
    const of = isUndoing ? underWay.changed : underWay.total
    const doing = isUndoing ? 'Undoing' : underWay.change.kind === 'delete' ? 'Deleting' : 'Changing'
    return (
      <BulkBar label="Progress">
        <span role="status" className="flex-none px-2 tabular-nums">
          {doing} {formatCount(begun)} of {formatCount(of)}…
        </span>
        {!isUndoing && <BulkAction onClick={cancel}>Cancel</BulkAction>}
      </BulkBar>
    )
  }
  if (isEmptySelection(selection)) return null

  const chosen = selection.matching ? { matching: filtersOf(search) } : { ids: [...selection.ids] }
  const uncounted = selection.matching && atLeast ? search : null
  const make = (wanted: WantedChange) => void start({ selection: chosen, change: wanted }).then((begun) => begun && onClear())
  const change = (wanted: WantedChange) => (count > maxWithoutAsking || uncounted ? setAsks(wanted) : make(wanted))

  async function save() {
    setSaving(true)
    try {
      await saveSelection(selection, search, shown)
    } catch (error) {
      toast.error('Nothing was exported', error instanceof Error ? error.message : undefined, () => void save())
    }
    setSaving(false)
  }

  return (
    <BulkBar label="Selected patients">
      <span className="flex-none px-2 tabular-nums" aria-live="polite">
        {formatCount(count)}
        {selection.matching && atLeast ? '+' : ''} selected
      </span>
      {offersAll && !selection.matching && (
        <BulkAction onClick={bulk.selectMatching} className="underline underline-offset-2">
          Select all {formatCount(total)}
          {atLeast ? '+' : ''}
        </BulkAction>
      )}
      <BulkLine />
      <ChangeMenus directory={directory} count={count} menu={menu} setMenu={setMenu} change={change} onChooseDay={() => setAsks('day')} />
      {may('contacts.export') && (
        <BulkAction aria-disabled={isSaving} onClick={() => !isSaving && void save()}>
          <Download />
          {isSaving ? 'Exporting…' : 'Export'}
        </BulkAction>
      )}
      {may('contacts.delete') && (
        <BulkAction onClick={() => setAsks('deletion')}>
          <Trash2 />
          Delete
        </BulkAction>
      )}
      <BulkLine />
      <BulkAction aria-label={`Clear selection of ${patients(count)}`} onClick={onClear}>
        <X />
      </BulkAction>
      {asks === 'day' && <FollowUpDayDialog who={patients(count)} onChoose={change} onClose={() => setAsks(null)} />}
      {asks !== null && typeof asks === 'object' && (
        <BulkChangeDialog change={asks} count={count} uncounted={uncounted} onChange={make} onClose={() => setAsks(null)} />
      )}
      {asks === 'deletion' && <BulkDeleteDialog count={count} uncounted={uncounted} onDelete={make} onClose={() => setAsks(null)} />}
    </BulkBar>
  )
}
