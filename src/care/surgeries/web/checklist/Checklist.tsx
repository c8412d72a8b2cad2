import { Plus } from 'lucide-react'
import { useState } from 'react'
import type { Names } from '../../../calendar/web/embed/names.ts'
import { Button } from '../../../../ui/controls/Button.tsx'
import { lazyDialog } from '../../../../ui/overlays/lazy-dialog.tsx'
import { useSession } from '../../../../ui/client/session.ts'
import { usePermission } from '../../../../ui/client/usePermission.ts'
import { mayCompleteItem } from '../../policy.ts'
import type { ItemData, SurgeryData } from '../surgery-data.ts'
import { ChecklistLine } from './ChecklistLine.tsx'
import { useChecklist } from './useChecklist.ts'

const AddItemDialog = lazyDialog(
  () => import('./AddItemDialog.tsx'),
  ({ onClose }) => onClose(),
)
const NoteDialog = lazyDialog(
  () => import('./NoteDialog.tsx'),
  ({ onClose }) => onClose(),
)

const groups: { title: string; has: (item: ItemData) => boolean }[] = [
  { title: 'Before the surgery', has: ({ dueDays }) => dueDays < 0 },
  { title: 'On the day', has: ({ dueDays }) => dueDays === 0 },
  { title: 'After the surgery', has: ({ dueDays }) => dueDays > 0 },
]

interface ChecklistProps {
  surgery: SurgeryData
  names: Names
  /** The item to focus. */
  opened?: string | undefined
}

/** The checklist of a surgery: items with due dates and roles. */
export function Checklist({ surgery, names, opened }: ChecklistProps) {
  const may = usePermission()
  const { user } = useSession()
  const { busy, tick, note, remove } = useChecklist(surgery)
  const [isAdding, setAdding] = useState(false)
  const [noted, setNoted] = useState<ItemData | null>(null)
  const { items } = surgery
  const mayRemove = ({ kind, ownerRole }: ItemData) =>
    may('surgeries.removeItem') && kind !== 'specialist' && mayCompleteItem(user, ownerRole)
  const done = items.filter(({ isDone }) => isDone).length
  return (
    <div role="group" aria-label="Checklist">
      <div className="flex min-h-8 items-center gap-2">
        <h3 className="text-sm font-semibold text-fg">Checklist</h3>
        <span className="text-sm text-fg-3 tabular-nums">
          {done} of {items.length} done
        </span>
        {may('surgeries.addItem') && (
          <Button size="sm" variant="quiet" icon={<Plus />} className="ml-auto" onClick={() => setAdding(true)}>
            Add item
          </Button>
        )}
      </div>
      {groups.map(({ title, has }) => {
        const ofGroup = items.filter(has)
        if (ofGroup.length === 0) return null
        return (
          <div key={title} className="pt-3">
            <h4 className="border-b border-line pb-1.5 text-xs font-medium text-fg-3">{title}</h4>
            <ul aria-label={title}>
              {ofGroup.map((item) => (
                <ChecklistLine
                  key={item.id}
                  item={item}
                  names={names}
                  isOpened={item.id === opened}
                  isBusy={busy === item.id}
                  onTick={may('surgeries.changeItem') && mayCompleteItem(user, item.ownerRole) ? (isDone) => tick(item, isDone) : undefined}
                  onNote={may('surgeries.changeItem') ? () => setNoted(item) : undefined}
                  onRemove={mayRemove(item) ? () => void remove(item) : undefined}
                />
              ))}
            </ul>
          </div>
        )
      })}
      {items.some(({ isAutomatic, ownerRole }) => !isAutomatic && !mayCompleteItem(user, ownerRole)) && (
        <p className="pt-3 text-xs text-fg-3">Items assigned to a provider can only be ticked by a provider or an administrator.</p>
      )}
      {isAdding && <AddItemDialog surgery={surgery} onClose={() => setAdding(false)} />}
      {noted && (
        <NoteDialog
          title={noted.words}
          note={noted.note}
          maxLength={1_000}
          onSave={(text) => note(noted, text)}
          onClose={() => setNoted(null)}
        />
      )}
    </div>
  )
}
