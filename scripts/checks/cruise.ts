import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { z } from 'zod'

const cruised = z.object({
  modules: z.array(
    z.object({
      source: z.string(),
      couldNotResolve: z.boolean().optional(),
      dependencies: z.array(z.object({ resolved: z.string() })),
    }),
  ),
  summary: z.object({
    error: z.number(),
    violations: z.array(
      z.object({
        from: z.string(),
        to: z.string(),
        rule: z.object({ name: z.string() }),
        comment: z.string().optional(),
        cycle: z.array(z.object({ name: z.string() })).optional(),
      }),
    ),
    ruleSetUsed: z.object({ forbidden: z.array(z.object({ name: z.string(), comment: z.string() })) }),
  }),
})

export const roots = ['src', 'simulators'].filter((root) => existsSync(root))

/** Lists every import in the checkout and every rule violation. Exits with 2 if dependency-cruiser has no output. */
export function cruise(): z.output<typeof cruised> {
  const run = spawnSync('depcruise', ['--config', 'depcruise.config.cjs', '--output-type', 'json', ...roots], {
    encoding: 'utf8',
    maxBuffer: 256 * 1024 * 1024,
  })
  if (!run.stdout) {
    console.error(run.stderr || run.error?.message || 'dependency-cruiser had no output')
    process.exit(2)
  }
  return cruised.parse(JSON.parse(run.stdout))
}
