import { Tabs as Primitive } from 'radix-ui'
import { type ReactNode, useEffect, useRef } from 'react'
import { cn } from '../cn.ts'

export interface TabItem<V extends string = string> {
  value: V
  label: ReactNode
  /** Count next to the label; already formatted if long. */
  count?: number | string
  badge?: ReactNode
  /** Preloads its content on hover or focus. */
  prepare?: (() => void) | undefined
}

interface TabsProps<V extends string> {
  value: V
  onValueChange: (value: V) => void
  items: readonly TabItem<V>[]
  'aria-label': string
  /** Right end of the tab line: page actions. */
  actions?: ReactNode
  children?: ReactNode
  className?: string
  listClassName?: string
}

/** Underlined tabs, 48 px high, on a hairline. On a phone they scroll independently of the page. */
export function Tabs<V extends string>({
  value,
  onValueChange,
  items,
  actions,
  children,
  className,
  listClassName,
  ...rest
}: TabsProps<V>) {
  const scroller = useRef<HTMLDivElement>(null)
  // Keeps the open tab visible when scrolling, also when opened by address; later counts and fonts move the tabs.
  useEffect(() => {
    const around = scroller.current
    if (!around?.firstElementChild) return
    const sizes = new ResizeObserver(() => {
      const open = around.querySelector<HTMLElement>('[role="tab"][data-state="active"]')
      if (!open) return
      const { left, right } = around.getBoundingClientRect()
      const at = open.getBoundingClientRect()
      if (at.left < left) around.scrollLeft -= left - at.left + gap
      else if (at.right > right) around.scrollLeft += at.right - right + gap
    })
    sizes.observe(around.firstElementChild)
    return () => sizes.disconnect()
  }, [value])
  return (
    <Primitive.Root
      value={value}
      onValueChange={(next) => {
        const item = items.find((candidate) => candidate.value === next)
        if (item) onValueChange(item.value)
      }}
      className={cn('flex min-h-0 flex-col', className)}
    >
      <div className={cn('flex h-12 flex-none items-center border-b border-line px-4 md:px-6', listClassName)}>
        <div
          ref={scroller}
          className={cn(
            'relative no-scrollbar -mb-px flex h-12 min-w-0 items-center overflow-x-auto overflow-y-hidden max-md:-ml-4 max-md:pl-4',
            // What is cut off fades, so it is seen to go on.
            'max-md:mask-r-from-[calc(100%-1.5rem)] max-md:pr-6',
            !actions && 'max-md:-mr-4',
          )}
        >
          <Primitive.List aria-label={rest['aria-label']} className="flex h-full gap-5">
            {items.map((item) => (
              <Primitive.Trigger
                key={item.value}
                value={item.value}
                onPointerEnter={item.prepare}
                onFocus={item.prepare}
                // Radix focuses a pressed tab by script, after which browsers would draw the ring of the keyboard.
                onMouseDown={({ currentTarget }) => currentTarget.toggleAttribute('data-pressed', true)}
                onBlur={({ currentTarget }) => currentTarget.removeAttribute('data-pressed')}
                className={tabStyle}
              >
                {item.label}
                {item.count !== undefined && <span className="text-xs font-regular text-fg-3 tabular-nums">{item.count}</span>}
                {item.badge}
              </Primitive.Trigger>
            ))}
          </Primitive.List>
        </div>
        {actions && <div className="ml-auto flex flex-none items-center gap-2 pl-2 md:pl-4">{actions}</div>}
      </div>
      {children}
    </Primitive.Root>
  )
}

/** In px: visible part of the next tab. */
const gap = 24

const tabStyle = cn(
  'relative flex h-full flex-none items-center gap-1.5 text-md font-medium whitespace-nowrap text-fg-2 outline-offset-[-2px] data-pressed:outline-none md:text-sm',
  'transition-colors duration-(--dur-1) hover:text-fg data-[state=active]:text-fg',
  'after:absolute after:inset-x-0 after:bottom-0 after:h-0.5 after:rounded-full data-[state=active]:after:bg-accent',
)

export function TabPanel({ className, ...rest }: React.ComponentProps<typeof Primitive.Content>) {
  return <Primitive.Content className={cn('min-h-0 outline-offset-[-2px]', className)} {...rest} />
}
