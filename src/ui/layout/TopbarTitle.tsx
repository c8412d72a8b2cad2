import { Link, type LinkProps } from '@tanstack/react-router'
import { createContext, Fragment, use, useEffect, type ReactNode } from 'react'
import { createPortal } from 'react-dom'
import { usePractice } from '../client/session.ts'
import { cn } from '../cn.ts'

/** Slot in the top bar that a page fills. */
export const TopbarSlot = createContext<HTMLElement | null>(null)

export interface Crumb {
  label: ReactNode
  link?: LinkProps
}

interface TopbarTitleProps {
  /** Page title: in the top bar, in the browser tab, and announced to screen readers. */
  title: string
  /** Breadcrumbs of a record; its title is then on the page, not in the bar. */
  crumbs?: readonly Crumb[]
  /** Section name for phones, where crumbs and long titles do not fit. */
  section?: string
  /** After the title: previous and next. */
  children?: ReactNode
}

export function TopbarTitle({ title, crumbs, section, children }: TopbarTitleProps) {
  const slot = use(TopbarSlot)
  const { name } = usePractice()

  useEffect(() => {
    document.title = `${title} · ${name}`
  }, [title, name])

  if (!slot) return null
  return createPortal(
    crumbs ? (
      <>
        <span className="truncate text-portal font-semibold text-fg md:hidden">{section ?? title}</span>
        <nav aria-label="Breadcrumb" className="flex min-w-0 items-center gap-2 text-sm whitespace-nowrap text-fg-2 max-md:hidden">
          {crumbs.map((crumb, index) => (
            // oxlint-disable-next-line no-array-index-key -- the trail never reorders
            <Fragment key={index}>
              {index > 0 && (
                <span aria-hidden="true" className="text-fg-3">
                  /
                </span>
              )}
              {crumb.link ? (
                <Link {...crumb.link} className="truncate rounded-xs hover:text-fg">
                  {crumb.label}
                </Link>
              ) : (
                <span className="truncate tabular-nums">{crumb.label}</span>
              )}
            </Fragment>
          ))}
        </nav>
        {children}
      </>
    ) : (
      <>
        <h1 className="truncate text-portal font-semibold text-fg md:text-title">
          {section && <span className="md:hidden">{section}</span>}
          <span className={cn(section && 'max-md:hidden')}>{title}</span>
        </h1>
        {children}
      </>
    ),
    slot,
  )
}
