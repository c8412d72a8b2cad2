import { ChartNoAxesColumn, Table2 } from 'lucide-react'
import { type ReactNode, useId, useState } from 'react'
import { IconButton } from '../../../../ui/controls/IconButton.tsx'

interface PanelProps {
  title: ReactNode
  /** Subtitle next to the title. */
  note?: ReactNode
  actions?: ReactNode
  children: ReactNode
}

/** A dashboard panel with a heading. */
export function Panel({ title, note, actions, children }: PanelProps) {
  const id = useId()
  return (
    <section aria-labelledby={id} className="flex h-full flex-col">
      <div className="flex mb-2 min-h-9 items-center gap-3 md:min-h-8">
        <div className="flex min-w-0 flex-1 flex-wrap items-baseline gap-x-2">
          <h2 id={id} className="text-md font-semibold text-fg">
            {title}
          </h2>
          {note && <span className="text-xs text-fg-3">{note}</span>}
        </div>
        {actions}
      </div>
      {children}
    </section>
  )
}

interface ChartPanelProps extends Omit<PanelProps, 'children' | 'actions' | 'title'> {
  title: string
  chart: ReactNode
  table: ReactNode
  /** Empty state. */
  empty?: string | false
}

/** A chart with an optional table view. */
export function ChartPanel({ title, chart, table, empty, ...rest }: ChartPanelProps) {
  const [asTable, setAsTable] = useState(false)
  return (
    <Panel
      title={title}
      {...rest}
      actions={
        !empty && (
          <IconButton
            size="sm"
            className="-mr-1.5"
            label={asTable ? `Show ${title} as a chart` : `Show ${title} as a table`}
            icon={asTable ? <ChartNoAxesColumn /> : <Table2 />}
            onClick={() => setAsTable(!asTable)}
          />
        )
      }
    >
      {empty ? <Nothing>{empty}</Nothing> : asTable ? table : chart}
    </Panel>
  )
}

/** Placeholder for an empty list or chart. */
export const Nothing = ({ children }: { children: ReactNode }) => <p className="py-10 text-center text-sm text-fg-3">{children}</p>
