import { ArrowDown, ArrowUp, Minus, Plus } from 'lucide-react'
import { Button } from '../../../../../ui/controls/Button.tsx'
import { CheckboxLine } from '../../../../../ui/controls/Checkbox.tsx'
import { IconButton } from '../../../../../ui/controls/IconButton.tsx'
import { type ColumnId, type ColumnLayout, columnIds, columns, moved, defaultLayout, widened, withColumn } from './layout.ts'

export interface ColumnsListProps {
  layout: ColumnLayout
  onChange: (layout: ColumnLayout) => void
}

/** The content of the columns menu. */
export default function ColumnsList({ layout, onChange }: ColumnsListProps) {
  const hidden = columnIds.filter((id) => !layout.shown.includes(id))
  return (
    <>
      <ul aria-label="Shown">
        {layout.shown.map((id, at) => (
          <Line key={id} id={id} layout={layout} onChange={onChange} isFirst={at === 0} isLast={at === layout.shown.length - 1} />
        ))}
      </ul>
      {hidden.length > 0 && (
        <ul aria-label="Not shown" className="mt-1 border-t border-line pt-1">
          {hidden.map((id) => (
            <Line key={id} id={id} layout={layout} onChange={onChange} />
          ))}
        </ul>
      )}
      <div className="mt-1 border-t border-line pt-2">
        <Button size="sm" variant="quiet" onClick={() => onChange(defaultLayout)}>
          Reset to default columns
        </Button>
      </div>
    </>
  )
}

interface LineProps extends ColumnsListProps {
  id: ColumnId
  isFirst?: boolean
  isLast?: boolean
}

function Line({ id, layout, onChange, isFirst, isLast }: LineProps) {
  const { label } = columns[id]
  const isShown = layout.shown.includes(id)
  return (
    <li className="flex min-h-11 items-center rounded-sm pl-2 md:min-h-8">
      <CheckboxLine checked={isShown} onCheckedChange={(wanted) => onChange(withColumn(layout, id, wanted))} className="min-w-0 flex-1">
        {label}
      </CheckboxLine>
      {isShown && (
        <span className="flex">
          <IconButton size="sm" label={`${label}: narrower`} icon={<Minus />} onClick={() => onChange(widened(layout, id, -1))} />
          <IconButton size="sm" label={`${label}: wider`} icon={<Plus />} onClick={() => onChange(widened(layout, id, 1))} />
          <IconButton
            size="sm"
            label={`${label}: move left`}
            icon={<ArrowUp />}
            disabled={isFirst}
            onClick={() => onChange(moved(layout, id, -1))}
          />
          <IconButton
            size="sm"
            label={`${label}: move right`}
            icon={<ArrowDown />}
            disabled={isLast}
            onClick={() => onChange(moved(layout, id, 1))}
          />
        </span>
      )}
    </li>
  )
}
