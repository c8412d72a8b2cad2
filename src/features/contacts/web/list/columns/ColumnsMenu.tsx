import { Columns3 } from 'lucide-react'
import { lazy, Suspense } from 'react'
import { Button } from '../../../../../web/ui/Button.tsx'
import { Popover } from '../../../../../web/ui/Popover.tsx'
import { Skeleton } from '../../../../../web/ui/Skeleton.tsx'
import type { ColumnsListProps } from './ColumnsList.tsx'

const loadList = () => import('./ColumnsList.tsx')
const ColumnsList = lazy(loadList)

/** Which columns the list shows, in which order and how wide: the keyboard's way to it, too. */
export function ColumnsMenu(list: ColumnsListProps) {
  return (
    <Popover
      label="Columns"
      align="end"
      className="w-84 p-2"
      trigger={
        <Button
          variant="quiet"
          aria-label="Columns"
          className="w-8 px-0"
          onPointerEnter={() => void loadList().catch(() => undefined)}
          onFocus={() => void loadList().catch(() => undefined)}
        >
          <Columns3 />
        </Button>
      }
    >
      <Suspense fallback={<Skeleton className="m-3 w-40" />}>
        <ColumnsList {...list} />
      </Suspense>
    </Popover>
  )
}
