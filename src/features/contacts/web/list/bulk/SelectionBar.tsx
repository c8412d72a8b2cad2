import { Download, Trash2, X } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { BulkAction, BulkBar, BulkLine } from '../../../../../web/ui/BulkBar.tsx'
import { formatCount } from '../../../../../web/ui/format.ts'
import { toast } from '../../../../../web/ui/toast.ts'
import { useMay } from '../../../../../web/useMay.ts'
import type { Directory } from '../../embed/directory.ts'
import type { ColumnId } from '../columns/layout.ts'
import { filtersOf, type ListSearch } from '../list-search.ts'
import { ChangeMenus } from './ChangeMenus.tsx'
import { saveSelection } from './save-selection.ts'
import { isNobody, type Selection } from './selection.ts'
import { patients, useBulkChange, type WantedChange } from './useBulkChange.ts'
import type { BulkMenu } from './useSelection.ts'

const DeleteManyDialog = lazy(() => import('./DeleteManyDialog.tsx'))
const FollowUpDayDialog = lazy(() => import('./FollowUpDayDialog.tsx'))

interface SelectionBarProps {
  selection: Selection
  search: ListSearch
  /** How many the list's filters match; at least so many where `atLeast`. */
  total: number
  atLeast: boolean
  /** Whether the whole page is selected, and there is more than that. */
  offersAll: boolean
  /** The columns that the list shows. */
  shown: readonly ColumnId[]
  directory: Directory
  menu: BulkMenu | null
  setMenu: (menu: BulkMenu | null) => void
  onSelectMatching: () => void
  onClear: () => void
}

/** What can be done with the patients that are selected; while it is being done, how far it has come. */
export default function SelectionBar(props: SelectionBarProps) {
  const { selection, search, total, atLeast, offersAll, shown, directory, menu, setMenu, onSelectMatching, onClear } = props
  const { start, progress, doing, cancel } = useBulkChange(onClear)
  const may = useMay()
  const [asks, setAsks] = useState<'day' | 'deletion' | null>(null)
  const [isSaving, setSaving] = useState(false)
  const count = selection.matching ? total : selection.ids.size

  if (progress) {
    const begun = progress.status === 'undoing' ? progress.undone + progress.kept : progress.changed + progress.unchanged
    const of = progress.status === 'undoing' ? progress.changed : progress.total
    return (
      <BulkBar label="Progress">
        <span role="status" className="flex-none px-2 tabular-nums">
          {doing} {formatCount(begun)} of {formatCount(of)}…
        </span>
        {progress.status === 'running' && <BulkAction onClick={cancel}>Cancel</BulkAction>}
      </BulkBar>
    )
  }
  if (isNobody(selection)) return null

  const chosen = selection.matching ? { matching: filtersOf(search) } : { ids: [...selection.ids] }
  const change = (wanted: WantedChange, done: string) => void start({ selection: chosen, change: wanted }, done)

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
        <BulkAction onClick={onSelectMatching} className="underline underline-offset-2">
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
      <BulkAction aria-label={`Clear the selection of ${patients(count)}`} onClick={onClear}>
        <X />
      </BulkAction>
      <Suspense fallback={<span role="dialog" aria-label="Loading" hidden />}>
        {asks === 'day' && <FollowUpDayDialog who={patients(count)} onChoose={change} onClose={() => setAsks(null)} />}
        {asks === 'deletion' && (
          <DeleteManyDialog
            count={count}
            uncounted={selection.matching && atLeast ? search : null}
            onDelete={change}
            onClose={() => setAsks(null)}
          />
        )}
      </Suspense>
    </BulkBar>
  )
}
