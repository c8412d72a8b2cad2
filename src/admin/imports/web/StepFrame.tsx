import type { ReactNode } from 'react'

/** Layout of a step: scrolling content above a fixed action bar. */
export function StepFrame({ children, actions }: { children: ReactNode; actions?: ReactNode }) {
  return (
    <>
      <div className="relative min-h-0 flex-1 overflow-y-auto px-4 py-6 md:px-6">
        <div className="mx-auto flex max-w-220 flex-col gap-6">{children}</div>
      </div>
      {actions && (
        <footer className="flex-none border-t border-line px-4 py-3 pb-[max(0.75rem,env(safe-area-inset-bottom))] md:px-6">
          <div className="mx-auto flex max-w-220 items-center justify-end gap-2">{actions}</div>
        </footer>
      )}
    </>
  )
}
