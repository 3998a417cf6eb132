// The language service is TypeScript 5.9's: TYPESCRIPT names where it lies.
const { default: ts } = await import(process.env.TYPESCRIPT);
import { readFileSync } from 'node:fs';
export function project(root) {
  const cfg = ts.readConfigFile(`${root}/tsconfig.json`, ts.sys.readFile).config;
  cfg.compilerOptions.jsx = 'preserve';
  // bench has a project of its own and names what the packages export.
  cfg.include.push('bench/src');
  const parsed = ts.parseJsonConfigFileContent(cfg, ts.sys, root);
  const files = parsed.fileNames.filter(f => !f.includes('node_modules'));
  const snaps = new Map();
  const host = {
    getScriptFileNames: () => files,
    getScriptVersion: () => '1',
    getScriptSnapshot: f => {
      if (!snaps.has(f)) {
        try {
          snaps.set(f, ts.ScriptSnapshot.fromString(readFileSync(f, 'utf8')));
        } catch {
          snaps.set(f, undefined);
        }
      }
      return snaps.get(f);
    },
    getCurrentDirectory: () => root,
    getCompilationSettings: () => parsed.options,
    getDefaultLibFileName: o => ts.getDefaultLibFilePath(o),
    fileExists: ts.sys.fileExists,
    readFile: ts.sys.readFile,
    readDirectory: ts.sys.readDirectory,
    directoryExists: ts.sys.directoryExists,
    getDirectories: ts.sys.getDirectories,
    realpath: ts.sys.realpath,
  };
  return { files, service: ts.createLanguageService(host, ts.createDocumentRegistry()) };
}
export { ts };
/** every identifier that is a declaration's name: [node, kind, owner] */
export function declarations(sf) {
  const out = [];
  const visit = (n, owner) => {
    let o = owner;
    const name = n.name;
    if (
      name &&
      ts.isIdentifier(name) &&
      !ts.isPropertyAccessExpression(n) &&
      !ts.isImportSpecifier(n) &&
      !ts.isImportClause(n) &&
      !ts.isNamespaceImport(n) &&
      !ts.isExportSpecifier(n) &&
      !ts.isMetaProperty(n) &&
      !ts.isJsxAttribute(n)
    ) {
      out.push({
        node: name,
        kind: ts.SyntaxKind[n.kind],
        owner,
        top:
          n.parent &&
          (ts.isSourceFile(n.parent) ||
            (n.parent.parent?.parent && ts.isSourceFile(n.parent.parent.parent) && ts.isVariableDeclaration(n))),
      });
      o = name.text;
    }
    ts.forEachChild(n, c => visit(c, o));
  };
  visit(sf, '');
  return out;
}
