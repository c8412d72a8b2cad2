import { Columns3 } from 'lucide-react'
import { useEffect } from 'react'
import { Button } from '../../../../../ui/controls/Button.tsx'
import { lazyDialog } from '../../../../../ui/overlays/lazy-dialog.tsx'
import { Popover } from '../../../../../ui/overlays/Popover.tsx'
import { whenIdle } from '../../../../../ui/client/when-idle.ts'
import type { ColumnsListProps } from './ColumnsList.tsx'

const ColumnsList = lazyDialog<ColumnsListProps>(
  () => import('./ColumnsList.tsx'),
  () => undefined,
)

/** The menu to choose, order and size columns, also by keyboard. */
export function ColumnsMenu(list: ColumnsListProps) {
  useEffect(() => whenIdle(ColumnsList.prepare), [])
  return (
    <Popover
      label="Columns"
      align="end"
      className="w-84 p-2"
      requires={ColumnsList.code}
      trigger={
        <Button
          variant="quiet"
          aria-label="Columns"
          className="w-8 px-0"
          onPointerEnter={ColumnsList.prepare}
          onFocus={ColumnsList.prepare}
        >
          <Columns3 />
        </Button>
      }
    >
      <ColumnsList {...list} />
    </Popover>
  )
}
