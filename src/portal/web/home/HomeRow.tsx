import type { ReactNode } from 'react'

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
    <span
      aria-hidden="true"
      className="flex size-11 flex-none items-center justify-center self-start rounded-lg bg-hover text-fg-2 [&>svg]:size-5"
    >
      {icon}
    </span>
    <div className="min-w-0 flex-1 basis-0">
      <h3 className="text-portal font-semibold [overflow-wrap:anywhere]">{title}</h3>
      {children && <div className="text-title leading-relaxed text-fg-2 [overflow-wrap:anywhere]">{children}</div>}
    </div>
    {actions && <div className="flex flex-none flex-wrap gap-2 max-md:w-full max-md:[&>*]:flex-1">{actions}</div>}
  </li>
)
