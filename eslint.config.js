import jsdoc from 'eslint-plugin-jsdoc'
import reactHooks from 'eslint-plugin-react-hooks'
import tseslint from 'typescript-eslint'

const PUBLIC = ['ArrowFunctionExpression', 'MethodDefinition:not([kind="constructor"])']
const testFiles = ['test/**', 'bench/**']
const LITERAL_SPREAD = {
  selector: 'ObjectExpression > SpreadElement > ObjectExpression',
  message: 'Give the fields themselves: a literal that is spread only pleases the formatter.',
}

export default tseslint.config(
  // The client's types are generated.
  { ignores: ['node_modules/**', 'dist/**', '.data/**', 'client/openapi.ts'] },
  ...tseslint.configs.recommended,
  {
    files: ['**/*.ts', '**/*.tsx'],
    languageOptions: { parserOptions: { projectService: true } },
    rules: {
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': ['error', { checksVoidReturn: { arguments: false } }],
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
    },
  },
  {
    files: ['**/*.ts', '**/*.tsx', '**/*.js', '**/*.mjs'],
    ignores: testFiles,
    rules: {
      'max-lines': ['error', { max: 300 }],
      'max-lines-per-function': ['error', { max: 60 }],
    },
  },
  {
    files: ['dashboard/**/*.{ts,tsx}'],
    plugins: { 'react-hooks': reactHooks },
    rules: { 'react-hooks/rules-of-hooks': 'error', 'react-hooks/exhaustive-deps': 'error' },
  },
  {
    // One formatter shows every time and number, in the zone that was chosen.
    files: ['dashboard/**/*.{ts,tsx}'],
    rules: {
      'no-restricted-syntax': [
        'error',
        {
          selector: 'CallExpression[callee.property.name=/^toLocale(Date|Time)?String$/]',
          message: 'Use parts/format.ts.',
        },
      ],
    },
  },
  {
    files: ['{api,worker,activities,store,agents,contracts,observability,dev}/**/*.ts'],
    rules: { 'no-restricted-syntax': ['error', LITERAL_SPREAD] },
  },
  {
    // Configuration is read once, by config.ts: everything else gets it as data.
    files: ['{api,worker,workflows,activities,store,agents,core,contracts}/**/*.ts'],
    rules: {
      'no-restricted-properties': [
        'error',
        { object: 'process', property: 'env', message: 'config.ts is the only reader of the environment.' },
      ],
    },
  },
  {
    // The client is a package of its own, for browsers too: it has nothing but the platform, and reads JSON as the service does.
    files: ['client/**/*.ts'],
    rules: { 'no-restricted-imports': ['error', { patterns: [{ regex: '^(?!\\./|\\.\\./core/exact-json\\.ts$)' }] }] },
  },
  {
    // What a folder offers to others says what it does; types tell the rest.
    files: ['{core,store,activities,workflows,agents,api}/**/*.ts'],
    ignores: ['agents/examples/**'],
    plugins: { jsdoc },
    rules: {
      'jsdoc/require-jsdoc': [
        'error',
        { publicOnly: true, require: { ClassDeclaration: true, FunctionDeclaration: true }, contexts: PUBLIC },
      ],
      'jsdoc/require-description': ['error', { contexts: ['any'] }],
    },
  },
  {
    // Workflows share the modules of their bundle (worker/workflow-bundle.ts): one must find nothing in them that another left.
    files: ['{workflows,core}/**/*.ts', 'observability/{workflow-trace,trace-header,planned-span}.ts'],
    rules: {
      'no-restricted-syntax': [
        'error',
        LITERAL_SPREAD,
        {
          selector: ':matches(Program, Program > ExportNamedDeclaration) > VariableDeclaration[kind!="const"]',
          message: 'State of a module would be shared by all workflows.',
        },
      ],
    },
  },
  {
    // Workflow code is replayed: it may do nothing that a replay could not repeat.
    // Its client is the one file that runs outside: who starts workflows has it.
    files: ['workflows/**/*.ts', 'core/**/*.ts'],
    ignores: ['workflows/client.ts'],
    rules: {
      'no-restricted-imports': [
        'error',
        {
          patterns: [
            {
              group: [
                'node:*',
                'mongodb',
                '@aws-sdk/*',
                '@temporalio/client',
                '@temporalio/worker',
                '@temporalio/activity',
              ],
            },
          ],
        },
      ],
    },
  },
)
