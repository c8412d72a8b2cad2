import { ChevronRight } from 'lucide-react'
import type { ReactNode } from 'react'
import { Badge } from '../../../ui/display/Badge.tsx'

interface HomeRowProps {
  icon: ReactNode
  title: string
  children?: ReactNode
  /** Under the text on a phone. */
  actions?: ReactNode
}

/** One line of the home: what it is about, and what to do. */
export const HomeRow = ({ icon, title, children, actions }: HomeRowProps) => (
  <li className="flex flex-wrap items-center gap-x-4 gap-y-3 border-t border-line py-4 first:border-t-0 first:pt-0 last:pb-0 md:flex-nowrap">
    <RowIcon>{icon}</RowIcon>
    <div className="min-w-0 flex-1 basis-0">
      <h3 className="text-portal font-semibold [overflow-wrap:anywhere]">{title}</h3>
      {children && <div className="text-title leading-relaxed text-fg-2 [overflow-wrap:anywhere]">{children}</div>}
    </div>
    {actions && <div className="flex flex-none flex-wrap gap-2 max-md:w-full max-md:[&>*]:flex-1">{actions}</div>}
  </li>
)

const RowIcon = ({ children }: { children: ReactNode }) => (
  <span
    aria-hidden="true"
    className="flex size-11 flex-none items-center justify-center self-start rounded-lg bg-hover text-fg-2 [&>svg]:size-5"
  >
    {children}
  </span>
)

interface OpenRowProps {
  icon: ReactNode
  title: string
  children: ReactNode
  /** Says what is new; false if nothing is. */
  isNew?: string | false
  onOpen: () => void
}

/** One line that leads to a part of the portal; all of it can be pressed. */
export const OpenRow = ({ icon, title, children, isNew = false, onOpen }: OpenRowProps) => (
  <li className="border-t border-line first:border-t-0">
    <button
      type="button"
      onClick={onOpen}
      className="-mx-2 flex w-[calc(100%+1rem)] items-center gap-4 rounded-lg px-2 py-3.5 text-left hover:bg-hover"
    >
      <RowIcon>{icon}</RowIcon>
      <span className="min-w-0 flex-1">
        <span className="block text-portal font-semibold [overflow-wrap:anywhere]">{title}</span>
        <span className="block text-title leading-relaxed text-fg-2 [overflow-wrap:anywhere]">{children}</span>
      </span>
      {isNew && (
        <Badge tone="info" className="h-6.5 px-2 text-md">
          {isNew}
        </Badge>
      )}
      <ChevronRight aria-hidden="true" className="size-5! flex-none text-fg-3" />
    </button>
  </li>
)
