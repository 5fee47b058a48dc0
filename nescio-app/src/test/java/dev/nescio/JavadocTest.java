// SPDX-License-Identifier: Apache-2.0
package dev.nescio;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.ModifiersTree;
import com.sun.source.tree.Tree;
import com.sun.source.tree.VariableTree;
import com.sun.source.util.DocTrees;
import com.sun.source.util.JavacTask;
import com.sun.source.util.TreePath;
import com.sun.source.util.TreePathScanner;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.lang.model.element.Modifier;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Everything that others may call says what it does. */
class JavadocTest {

    private static final Pattern EXPORT = Pattern.compile("exports ([\\w.]+);");

    @ParameterizedTest
    @ValueSource(strings = {"core", "io", "study", "report", "paper"})
    void everyExportedMemberHasAComment(String module) throws IOException {
        Path sources = Path.of("..", "nescio-" + module, "src", "main", "java");
        List<Path> files = new ArrayList<>();
        Matcher export = EXPORT.matcher(Files.readString(sources.resolve("module-info.java")));
        while (export.find()) {
            try (Stream<Path> all = Files.list(sources.resolve(export.group(1).replace('.', '/')))) {
                all.filter(file -> file.toString().endsWith(".java") && !file.endsWith("package-info.java"))
                        .forEach(files::add);
            }
        }
        assertThat(files).isNotEmpty();
        assertThat(withoutComment(files)).isEmpty();
    }

    private static List<String> withoutComment(List<Path> files) throws IOException {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        List<String> missing = new ArrayList<>();
        try (StandardJavaFileManager manager = compiler.getStandardFileManager(null, null, null)) {
            JavacTask task = (JavacTask) compiler.getTask(
                    null, manager, null, List.of("-proc:none"), null, manager.getJavaFileObjectsFromPaths(files));
            DocTrees comments = DocTrees.instance(task);
            for (CompilationUnitTree unit : task.parse()) {
                new Members(unit, comments, missing).scan(unit, null);
            }
        }
        return missing;
    }

    private static final class Members extends TreePathScanner<Void, Void> {

        private final CompilationUnitTree unit;
        private final DocTrees comments;
        private final List<String> missing;

        Members(CompilationUnitTree unit, DocTrees comments, List<String> missing) {
            this.unit = unit;
            this.comments = comments;
            this.missing = missing;
        }

        @Override
        public Void visitClass(ClassTree type, Void nothing) {
            if (!isVisible(type.getModifiers())) {
                return null;
            }
            require(type.getSimpleName().toString());
            return super.visitClass(type, nothing);
        }

        @Override
        public Void visitMethod(MethodTree method, Void nothing) {
            boolean overrides = method.getModifiers().getAnnotations().stream()
                    .anyMatch(annotation ->
                            annotation.getAnnotationType().toString().equals("Override"));
            boolean isGenerated = comments.getSourcePositions().getEndPosition(unit, method) < 0;
            if (isVisible(method.getModifiers()) && !overrides && !isGenerated && !isCompactConstructor(method)) {
                require(method.getName() + "()");
            }
            return null;
        }

        /** What it demands stands at the components of the record. */
        private boolean isCompactConstructor(MethodTree method) {
            return method.getName().contentEquals("<init>")
                    && getCurrentPath().getParentPath().getLeaf().getKind() == Tree.Kind.RECORD;
        }

        @Override
        public Void visitVariable(VariableTree field, Void nothing) {
            boolean isComponent = getCurrentPath().getParentPath().getLeaf().getKind() == Tree.Kind.RECORD
                    && !field.getModifiers().getFlags().contains(Modifier.STATIC);
            if (isVisible(field.getModifiers()) && !isComponent) {
                require(field.getName().toString());
            }
            return null;
        }

        private boolean isVisible(ModifiersTree modifiers) {
            TreePath parent = getCurrentPath().getParentPath();
            boolean inInterface = parent.getLeaf().getKind() == Tree.Kind.INTERFACE
                    && !modifiers.getFlags().contains(Modifier.PRIVATE);
            return inInterface || modifiers.getFlags().contains(Modifier.PUBLIC);
        }

        private void require(String name) {
            if (comments.getDocCommentTree(getCurrentPath()) == null) {
                missing.add(unit.getSourceFile().getName().replaceFirst(".*/dev/nescio/", "") + " " + name);
            }
        }
    }
}
