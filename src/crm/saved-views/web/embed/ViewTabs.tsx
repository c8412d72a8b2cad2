import { Link } from '@tanstack/react-router'
import { useMemo, useRef, type KeyboardEvent } from 'react'
import { cn } from '../../../../ui/cn.ts'
import { type Hotkey, useHotkeys } from '../../../../ui/hooks/hotkeys.ts'
import type { ViewedList } from '../../contract.ts'
import { isEmptyList, isSameList, listOf, withoutLayout } from '../../rules.ts'
import { useViews } from './useViews.ts'
import { ViewActions } from './ViewActions.tsx'
import { ViewCount } from './ViewCount.tsx'

interface ViewTabsProps {
  address: ViewedList & { view?: string }
  /** The shown columns as in the URL; saved with a new view. */
  columns?: string
  narrow: boolean
}

/** The views above the list. Each is a link, so that it can be shared or opened in another tab. Arrow keys move between them. */
export default function ViewTabs({ address, columns, narrow }: ViewTabsProps) {
  const views = useViews()
  const tabs = useRef<HTMLDivElement>(null)
  const list = listOf(address)
  const current = views.find(({ id }) => id === (address.view ?? (isEmptyList(withoutLayout(list)) ? 'all' : null))) ?? null
  const isChanged = current !== null && !isSameList(current.list, current.saved ? list : withoutLayout(list))

  useHotkeys(
    useMemo<Hotkey[]>(
      () => [
        {
          keys: 'v',
          label: 'Choose a view',
          group: 'Lists',
          run: () => (tabs.current?.querySelector<HTMLElement>('[data-current]') ?? tabs.current?.querySelector('a'))?.focus(),
        },
      ],
      [],
    ),
  )
  function step(event: KeyboardEvent) {
    const by = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0
    if (by === 0) return
    event.preventDefault()
    const all = [...(tabs.current?.querySelectorAll('a') ?? [])]
    all[(all.indexOf(event.target as HTMLAnchorElement) + by + all.length) % all.length]?.focus()
  }

  return (
    <nav aria-label="Views" className="flex h-full min-w-0 flex-1 items-center gap-2">
      {/* oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- the arrows go among the links within */}
      <div
        ref={tabs}
        onKeyDown={step}
        className="relative no-scrollbar -mb-px flex h-12 min-w-0 flex-1 items-center gap-5 overflow-x-auto overflow-y-hidden"
      >
        {views.map((view) => {
          const isCurrent = view === current
          return (
            <Link
              key={view.id}
              to="/contacts"
              search={
                view.saved ? { ...view.list, view: view.id } : { layout: list.layout, order: list.order, ...view.list, view: view.id }
              }
              activeProps={{}}
              aria-current={isCurrent ? 'page' : undefined}
              data-current={isCurrent || undefined}
              className={cn(
                'relative flex h-full flex-none items-center gap-1.5 text-md font-medium whitespace-nowrap text-fg-2 outline-offset-[-2px] hover:text-fg md:text-sm',
                isCurrent && 'text-fg after:absolute after:inset-x-0 after:bottom-0 after:h-0.5 after:rounded-full after:bg-accent',
              )}
            >
              {view.name}
              <ViewCount list={view.list} />
            </Link>
          )
        })}
      </div>
      <ViewActions current={current} isChanged={isChanged} list={{ ...list, columns: list.columns ?? columns }} narrow={narrow} />
    </nav>
  )
}
